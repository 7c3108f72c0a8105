#!/usr/bin/python3
"""What the daemon costs beside the proofs: CPU seconds of 2 KiB proofs through it against the same ones made by `cuzk prove`,
without what that takes for parameters; and CPU time and memory to take, read and check a PoRep request of 32 GiB, which then
fails for want of parameters. Needs the built programs, 2 KiB parameters (cuzk setup), and grpc for Python.

usage: daemon_cost.py [--kind porep-2KiB-v1_1] [-n 10] [--params DIR] [--c1 FILE] [--build build/release]
    --params  of 2 KiB (default: what the tests have made); without, no proofs
    --c1      a c1.json of 32 GiB (cuzk fabricate porep --sector-size 32GiB); without, no request
One line of JSON a measurement.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from daemon_client import KINDS, Daemon, Inputs  # noqa: E402
from server_client import Api  # noqa: E402

TYPES = {1: "porep", 2: "snap", 3: "wpost", 4: "winning"}
WITHOUT = ("parameters", "structure")  # phases of `cuzk prove` that a daemon has once
MIB = 1 << 20


def cpu_s(pid):
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def prove(api, channel, message):
    return api.call(channel, "Prove")(api.m.ProveRequest(submit=message), timeout=3600).result


def through_daemon(a, api, inputs, folder):
    with Daemon(a.build / "bin" / "cuzk-daemon", folder, a.params) as daemon:
        channel = daemon.channel()
        assert prove(api, channel, inputs.request(a.kind)).proof, "no proof"
        before = cpu_s(daemon.process.pid)
        for _ in range(a.n):
            assert prove(api, channel, inputs.request(a.kind)).proof, "no proof"
        return cpu_s(daemon.process.pid) - before


def in_process(a, inputs):
    """CPU seconds of all but WITHOUT, of which the program tells the times."""
    total = 0
    source = inputs.folder / a.kind
    manifest = json.loads((source / "manifest.json").read_text())
    kind = TYPES[KINDS[a.kind]]
    command = [a.build / "bin" / "cuzk", "prove", "-t", kind, "--registered-proof", manifest["registered_proof"], "--miner-id",
               manifest["miner_id"], "--param-cache", a.params, "--allow-local-params", "--json", "--tier", "resident"]
    command += ["--c1", source / "c1.json"] if kind == "porep" else ["--vanilla", source / "vanilla.json"]
    for key in ("randomness", "comm_r_old", "comm_r_new", "comm_d_new"):
        if key in manifest:
            command += ["--" + key.replace("_", "-"), manifest[key]]
    for _ in range(a.n):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = subprocess.run(list(map(str, command)), check=True, text=True, stdout=subprocess.PIPE).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        phases = {phase["name"]: phase["cpu_s"] for phase in json.loads(out)["phases"]}
        total += spent - sum(phases.get(name, 0) for name in WITHOUT)
    return total


def large_request(a, api, folder):
    message = api.m.SubmitProofRequest(proof_kind=1, registered_proof=8, miner_id=1000, sector_number=1,
                                       vanilla_proof=a.c1.read_bytes())
    with Daemon(a.build / "bin" / "cuzk-daemon", folder, folder, budget="16GiB") as daemon:
        channel = daemon.channel()
        memory, before = daemon.memory("VmRSS:"), cpu_s(daemon.process.pid)
        result = prove(api, channel, message)
        assert "SRS param file not found" in result.error_message, result.error_message
        return {"op": "request_32GiB", "bytes": len(message.vanilla_proof), "cpu_s": round(cpu_s(daemon.process.pid) - before, 2),
                "peak_mib": (daemon.memory("VmHWM:") - memory) // MIB}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", default="porep-2KiB-v1_1", choices=sorted(KINDS))
    parser.add_argument("-n", type=int, default=10)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--params", type=pathlib.Path)
    parser.add_argument("--c1", type=pathlib.Path)
    a = parser.parse_args()
    a.params = a.params or a.build / "test-params"
    api = Api(a.build / "generated" / "proto_python")
    inputs = Inputs(api, ROOT / "tests" / "vectors")
    if a.c1:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(large_request(a, api, folder)), flush=True)
    if a.params.exists():
        with tempfile.TemporaryDirectory() as folder:
            daemon = through_daemon(a, api, inputs, folder)
        own = in_process(a, inputs)
        print(json.dumps({"op": a.kind, "n": a.n, "daemon_cpu_s": round(daemon, 2), "in_process_cpu_s": round(own, 2),
                          "ratio": round(daemon / own, 3)}))


main()
