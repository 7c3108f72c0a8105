#!/usr/bin/python3
"""The daemon with the real 2 KiB circuits, asked by the packaged Python gRPC client.

usage: test_daemon_proofs.py ACTION DAEMON PROTO_DIRECTORY VECTORS PARAMS
    inputs   C1 documents as other producers write them, and damaged ones
    files    parameter files that are missing, cut short, damaged or another circuit's; and good ones after them
    ids      ids with spaces and brackets in logs, timeline and JSON; equal ids of two clients
    turns    PoRep and update in turn, with room for the parameters of one
    killed   killed while it proves, it starts again and proves
    published  the settings that Curio's operators were told to write
"""
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import grpc

from daemon_client import SECONDS, Daemon, Inputs
from server_client import Api, wait_until


class World:
    def __init__(self, program, proto, vectors, params, folder):
        self.program, self.api, self.folder = program, Api(proto), folder
        self.inputs, self.params = Inputs(self.api, vectors), pathlib.Path(params).resolve()

    def daemon(self, params=None, **more):
        return Daemon(self.program, self.folder, params or self.params, **more)

    def prove_call(self, channel, request):
        return self.api.call(channel, "Prove").future(self.api.m.ProveRequest(submit=request), timeout=SECONDS)

    def prove(self, channel, request):
        return self.prove_call(channel, request).result().result

    def completes(self, channel, request):
        result = self.prove(channel, request)
        assert result.status == self.api.m.AwaitProofResponse.COMPLETED and len(result.proof) == 192, result
        return result

    def fails(self, channel, request, *texts):
        result = self.prove(channel, request)
        assert result.status == self.api.m.AwaitProofResponse.FAILED and not result.proof, (texts, result)
        assert all(text in result.error_message for text in texts), (texts, result.error_message)
        return result.error_message

    def call(self, channel, name, **fields):
        request = getattr(self.api.m, self.api.service.methods_by_name[name].input_type.name)
        return self.api.call(channel, name)(request(**fields), timeout=SECONDS)


def reordered(value):
    """The same document with members in the other order, more of them, and none that stand for nothing."""
    if isinstance(value, dict):
        members = {key: reordered(member) for key, member in reversed(value.items()) if key != "_h"}
        # where the names of the members matter, another would be wrong
        return members if len(members) == 1 else {"zz": [{"a": None, "b": [[-1.5e3]]}, "\u00e9\\"], **members, "a_": 1}
    if isinstance(value, list) and value and not isinstance(value[0], int):
        return [reordered(member) for member in value]
    return value


def wrapped(document, indent=None):
    text = json.dumps(document, indent=indent) if not isinstance(document, (str, bytes)) else document
    text = text if isinstance(text, bytes) else text.encode()
    return {"Phase1Out": base64.b64encode(text).decode(), "SectorNum": 1, "SectorSize": 2048}


def inputs(world):
    with world.daemon() as daemon:
        channel = daemon.channel()

        def porep(wrapper, **more):
            data = wrapper if isinstance(wrapper, bytes) else json.dumps(wrapper).encode()
            return world.inputs.request("porep-2KiB-v1_1", vanilla_proof=data, **more)

        c1 = world.inputs.c1()
        assert "_h" in json.dumps(c1)
        spaced = json.dumps(wrapped(json.dumps(reordered(c1), indent="\t\r\n ")), indent="\n \t").encode()
        world.completes(channel, porep(b"\n\n " + spaced + b" \n"))

        def changed(change):
            document = world.inputs.c1()
            change(document)
            return porep(wrapped(document))

        good = wrapped(c1)["Phase1Out"]
        texts = [
            world.fails(channel, porep(b"no JSON"), "C1 parse failed: failed to parse C1 output wrapper JSON"),
            world.fails(channel, porep({"Phase1Out": good[:-5]}), "C1 parse failed: ", "failed to decode base64 Phase1Output"),
            world.fails(channel, porep(wrapped(json.dumps(c1)[:-9])), "C1 parse failed: ",
                        "failed to deserialize SealCommitPhase1Output from JSON"),
            world.fails(channel, changed(lambda d: d.update(comm_d=[0] * 32)), "Invalid all zero commitment (comm_d)"),
            world.fails(channel, changed(lambda d: d.update(comm_r=[0] * 32)), "Invalid all zero commitment (comm_r)"),
            world.fails(channel, changed(lambda d: d.update(seed=[0] * 32)), "Invalid porep challenge seed"),
            world.fails(channel, changed(lambda d: d.update(comm_r=[255] * 32)), "comm_r"),
            world.fails(channel, changed(lambda d: d["vanilla_proofs"].update(StackedDrg2KiBV1=[])), "partition 0 >= vanilla_proofs.len() 0"),
            world.fails(channel, changed(lambda d: d["vanilla_proofs"]["StackedDrg2KiBV1"][0].pop()), "challenges"),
            world.fails(channel, world.inputs.request("porep-2KiB-v1_1", sector_number=2),
                        "miner/sector/ticket do not match the vanilla proof"),
        ]
        assert len(set(texts)) == len(texts), texts
        world.completes(channel, world.inputs.request("porep-2KiB-v1_1"))
        status = world.call(channel, "GetStatus")
        assert (status.total_proofs_completed, status.total_proofs_failed) == (2, len(texts)), status
        daemon.stop()


def files(world):
    """Each fault has its own text; the daemon goes on, and takes the file when it is good again."""
    post = "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
    folder = world.folder / "params"
    folder.mkdir()
    for path in world.params.glob(post + "0170*"):
        if not path.name.endswith(".digest"):  # what this machine has found out of a file
            shutil.copy(path, folder)
    params = next(folder.glob("*.params"))
    whole = params.read_bytes()
    other = next(world.params.glob(post + "3ea0*.params")).read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    with world.daemon(params=folder) as daemon:
        channel = daemon.channel()
        texts = []
        for data, text in ((None, "SRS param file not found for wpost-2k: " + str(params)), (whole[:-1], "truncated: "),
                           (b"", ""), (bytes(flipped), "digest "), (other, "")):
            params.unlink(missing_ok=True)
            if data is not None:
                params.write_bytes(data)
            texts.append(world.fails(channel, world.inputs.request("window-2KiB-2"), text))
            try:
                world.call(channel, "PreloadSRS", circuit_id="wpost-2k")
                raise AssertionError("loaded")
            except grpc.RpcError as error:
                expected = grpc.StatusCode.NOT_FOUND if data is None else grpc.StatusCode.FAILED_PRECONDITION
                assert error.code() == expected, (error.code(), error.details())
            print(texts[-1])
        assert len(set(texts)) == len(texts), texts
        params.write_bytes(whole)
        world.completes(channel, world.inputs.request("window-2KiB-2"))
        status = daemon.status()
        assert status["counters"]["total_failed"] == len(texts) and len(status["recent_failures"]) == len(texts), status
        daemon.stop()


def ids(world):
    name = "wdpost-1000-0-[1 2 3 4 5 6 7 8]"
    with world.daemon() as daemon:
        channel, second = daemon.channel(), daemon.channel()
        assert world.completes(channel, world.inputs.request("window-2KiB-2", name)).job_id == name
        strange = 'a"b\\c\u00e9 [x=1]\n'
        failed = world.inputs.request("window-2KiB-2", strange, randomness=bytes(3))
        world.fails(channel, failed, "randomness must be exactly 32 bytes, got 3")
        failures = daemon.status()["recent_failures"]
        assert [f["job_id"] for f in failures] == [strange], failures
        log = daemon.log()
        assert 'job_id="%s"' % name in log and 'job_id="a\\"b\\\\c' in log, log
        # Two clients that number alike, at once: each gets a proof of its own request.
        requests = [world.inputs.request(kind, "job-1") for kind in ("window-2KiB-2", "winning-2KiB", "window-2KiB-2")]
        calls = [world.prove_call(c, r) for c, r in zip((channel, second, second), requests)]
        results = [call.result().result for call in calls]
        assert all(r.status == world.api.m.AwaitProofResponse.COMPLETED for r in results), results
        assert results[0].proof == results[2].proof != results[1].proof
        assert "job-1" in {r.job_id for r in results} and len({r.job_id for r in results}) == 2
        daemon.stop()
    with world.daemon(log_format="json") as daemon:
        assert world.completes(daemon.channel(), world.inputs.request("window-2KiB-2", name)).job_id == name
        daemon.stop()
        lines = [json.loads(line) for line in daemon.log().splitlines() if line.startswith("{")]
        assert any(name in (line.get("job_id"), line.get("fields", {}).get("job_id")) for line in lines), daemon.log()


def turns(world):
    """Room for the parameters of one kind beside a proof: nothing stalls, parameters make way for others."""
    names = ("porep-2KiB-v1_1", "update-2KiB", "porep-2KiB-v1_1")
    needs = []  # resident parameters and a proof, which depend on the machine
    with world.daemon(budget="64MiB", tier="resident") as daemon:  # an eighth of it and more is for others
        channel = daemon.channel()
        for name in names[:2]:
            text = world.fails(channel, world.inputs.request(name), " needs ", "budget is 0.04 GiB")
            needs.append(int(re.search(r"\((\d+) of \d+ bytes\)", text)[1]))
        daemon.stop()
    budget = "%dMiB" % (max(needs) * 3 // 2 >> 20)  # of which the larger part is for these
    with world.daemon(budget=budget, tier="resident") as daemon:
        channel = daemon.channel()
        calls = [world.prove_call(channel, world.inputs.request(name)) for name in names]
        for call in calls:
            result = call.result().result
            assert result.status == world.api.m.AwaitProofResponse.COMPLETED, result
        loaded, gone = (re.findall(pattern + ".*circuit=(\\S+)", daemon.log())
                        for pattern in ("SRS parameters loaded", "parameters make room"))
        assert 2 <= len(loaded) <= len(names) and gone == loaded[:-1], (loaded, gone)
        assert len(world.call(channel, "GetStatus").loaded_srs) == 1
        daemon.stop()


def killed(world):
    before = sorted(path.name for path in world.params.iterdir())
    with world.daemon() as daemon:
        call = world.prove_call(daemon.channel(), world.inputs.request("porep-2KiB-v1_1", "killed"))
        wait_until(lambda: daemon.status()["pipelines"], "a proof under way")
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait(timeout=SECONDS)
        try:
            call.result()
            raise AssertionError("an answer from a dead process")
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.UNAVAILABLE, error
        assert daemon.socket.is_socket(), "it could not take it away"
    with world.daemon() as daemon:
        world.completes(daemon.channel(), world.inputs.request("porep-2KiB-v1_1", "killed"))
        daemon.stop()
    left = {path.name for path in world.params.iterdir()} - set(before)
    assert all(name.endswith(".digest") for name in left), left


def published(world):
    """Starts with two warnings; of its addresses only the one it listens on is another here."""
    config = pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "corpus" / "config" / "curio.toml"
    listen = "unix://%s" % (world.folder / "cuzk.sock")
    with subprocess.Popen([world.program, "-c", config, "-l", listen], stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "RUST_LOG": "info"}) as process:
        lines = []
        while "ready, serving on " + listen not in "".join(lines[-1:]):
            lines.append(process.stderr.readline())
            assert lines[-1], lines
        process.send_signal(signal.SIGTERM)
        lines += process.stderr.readlines()
    assert process.returncode == 0, lines
    warnings = [line for line in lines if " WARN config: " in line]
    assert len(warnings) == 2 and all("is deprecated and has no effect" in line for line in warnings), warnings
    assert "srs.preload" in warnings[0] and "synthesis.partition_workers" in warnings[1], warnings


def main():
    actions = {"inputs": inputs, "files": files, "ids": ids, "turns": turns, "killed": killed, "published": published}
    with tempfile.TemporaryDirectory(prefix="cuzk-daemon-") as folder:
        actions[sys.argv[1]](World(*sys.argv[2:6], pathlib.Path(folder)))


main()
