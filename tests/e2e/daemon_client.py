"""What the tests of real proofs by the daemon share: the daemon as a child, and requests from the vectors."""
import base64
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess

import grpc

SECONDS = 300

KINDS = {"porep-2KiB-v1_1": 1, "update-2KiB": 2, "window-2KiB-2": 3, "winning-2KiB": 4}


class Daemon:
    """On a unix socket in `folder`, with local parameters. Ready when made; killed at the end if it has not been stopped."""

    def __init__(self, program, folder, params, settings="", budget="4GiB", log_format="text", tier="auto"):
        self.socket, self.folder = pathlib.Path(folder) / "cuzk.sock", pathlib.Path(folder)
        config, notify = self.folder / "cuzk.toml", self.folder / "notify"
        config.write_text('[daemon]\nlisten = "unix://%s"\nstatus_listen = "127.0.0.1:0"\n[memory]\ntotal_budget = "%s"\n[srs]\n'
                          'param_cache = "%s"\nallow_local = true\nkeep_hot = []\ntier = "%s"\n[logging]\nformat = "%s"\n%s'
                          % (self.socket, budget, params, tier, log_format, settings))
        notify.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, open(self.folder / "log", "w") as log:
            ready.bind(str(notify))
            ready.settimeout(SECONDS)
            self.process = subprocess.Popen([program, "-c", config], stderr=log,
                                            env={**os.environ, "NOTIFY_SOCKET": str(notify), "RUST_LOG": ""})
            while b"READY=1" not in ready.recv(4096):
                pass
        self.channels = []

    def channel(self, target=None):
        self.channels.append(grpc.insecure_channel(
            target or "unix://%s" % self.socket,
            [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1)]))
        return self.channels[-1]

    def log(self):
        return (self.folder / "log").read_text()

    def http(self, path):
        port = int(re.search(r'HTTP status listening.*port"?[=:](\d+)', self.log()).group(1))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200, (path, answer.status)
        body = answer.read().decode()
        connection.close()
        return body

    def status(self):
        return json.loads(self.http("/status"))

    def memory(self, name="RssAnon:"):
        with open("/proc/%d/status" % self.process.pid) as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

    def stop(self):
        """By SIGTERM, which leaves nothing behind."""
        self.process.send_signal(signal.SIGTERM)
        self.ended()
        assert not self.socket.exists(), "the socket stays"

    def ended(self):
        code = self.process.wait(timeout=SECONDS)
        assert code == 0, "the daemon ended with %d\n%s" % (code, self.log())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for channel in self.channels:
            channel.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(timeout=SECONDS)


class Inputs:
    """Requests of the vectors' 2 KiB sectors."""

    def __init__(self, api, vectors):
        self.api, self.folder = api, pathlib.Path(vectors) / "inputs"

    def c1(self):
        """The document within the wrapper."""
        return json.loads(base64.b64decode(json.loads((self.folder / "porep-2KiB-v1_1" / "c1.json").read_text())["Phase1Out"]))

    def request(self, name, request_id="", **more):
        folder = self.folder / name
        manifest = json.loads((folder / "manifest.json").read_text())
        message = self.api.m.SubmitProofRequest(request_id=request_id, proof_kind=KINDS[name],
                                                registered_proof=manifest["registered_proof"], miner_id=manifest["miner_id"])
        if KINDS[name] == 1:
            message.vanilla_proof = (folder / "c1.json").read_bytes()
            message.sector_number = manifest["sector_number"]
        else:
            message.vanilla_proofs.extend(path.read_bytes() for path in sorted(folder.glob("*.vproof")))
        for key in ("randomness", "comm_r_old", "comm_r_new", "comm_d_new"):
            if key in manifest:
                setattr(message, key, bytes.fromhex(manifest[key]))
        for key, value in more.items():
            setattr(message, key, value)
        return message
