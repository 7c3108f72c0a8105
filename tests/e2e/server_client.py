"""What the tests of the server share: a server with made-up proofs as a child, and the packaged gRPC client."""
import importlib.util
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import grpc

SECONDS = 60  # nothing here takes longer


def load_messages(directory, name):
    """A generated module, by path: its package would hide gRPC's own."""
    path = pathlib.Path(directory) / (name + "_pb2.py")
    spec = importlib.util.spec_from_file_location(name.replace("/", "_") + "_pb2", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Api:
    """The contract: messages, and the calls on a channel."""

    def __init__(self, directory):
        self.m = load_messages(directory, "cuzk/v1/proving")
        self.health = load_messages(directory, "grpc/health/v1/health")
        self.reflection = {version: load_messages(directory, "grpc/reflection/%s/reflection" % version)
                           for version in ("v1", "v1alpha")}
        self.service = self.m.DESCRIPTOR.services_by_name["ProvingEngine"]

    def call(self, channel, name):
        method = self.service.methods_by_name[name]
        return channel.unary_unary("/cuzk.v1.ProvingEngine/" + name,
                                   request_serializer=getattr(self.m, method.input_type.name).SerializeToString,
                                   response_deserializer=getattr(self.m, method.output_type.name).FromString)


class Server:
    """The child. With `with`: ended and looked at in any case."""

    def __init__(self, program, *options, listen=None, check=True):
        self.directory = tempfile.TemporaryDirectory(prefix="cuzk-server-")
        self.socket = os.path.join(self.directory.name, "run", "cuzk.sock")
        self.check = check
        self.process = subprocess.Popen([program, listen or "unix://" + self.socket, *options], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE if not check else None)
        self.address = self.process.stdout.readline().strip()
        self.channels = []

    def channel(self, *options, credentials=None):
        # gRPC writes unix:PATH; what stands for the daemon's configuration is unix://PATH
        target = self.address
        options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1),
                   ("grpc.use_local_subchannel_pool", 1), *options]
        made = (grpc.secure_channel(target, credentials, options) if credentials
                else grpc.insecure_channel(target, options))
        self.channels.append(made)
        return made

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def open_gate(self, name):
        pathlib.Path(self.path(name)).touch()

    def rss_bytes(self, name="VmRSS:"):
        with open("/proc/%d/status" % self.process.pid) as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

    def stop(self):
        for channel in self.channels:
            channel.close()
        self.channels = []
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        out, _ = self.process.communicate(timeout=SECONDS)
        return out

    def __enter__(self):
        assert self.address, "the server did not start"
        return self

    def __exit__(self, kind, value, traceback):
        out = self.stop()
        self.directory.cleanup()
        if kind is None:
            assert self.process.returncode == 0, self.process.returncode
            assert out.strip() == "left 0 bytes", out


def wait_until(condition, what):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "waited in vain: " + what
        time.sleep(0.005)


def expect_error(code, text, fn):
    """fn() fails with that code, and a text in which this one is."""
    try:
        fn()
    except grpc.RpcError as error:
        assert error.code() == code, (error.code(), error.details())
        assert text in error.details(), error.details()
        return error
    raise AssertionError("no error: wanted %s" % code)


def run(actions):
    """ACTION PROGRAM PROTO_DIRECTORY [...]"""
    if len(sys.argv) < 4 or sys.argv[1] not in actions:
        sys.exit("usage: %s %s PROGRAM PROTO_DIRECTORY" % (sys.argv[0], "|".join(actions)))
    actions[sys.argv[1]](sys.argv[2], Api(sys.argv[3]))
