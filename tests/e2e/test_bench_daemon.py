#!/usr/bin/env python3
"""cuzk-bench and the daemon with the real 2 KiB circuits: proofs of all four kinds, verified by the client.

usage: test_bench_daemon.py proofs|refusals CUZK_BENCH CUZK_DAEMON VECTORS PARAMS
    proofs    every kind by single --verify; retries, jobs in two calls, batches; status, metrics, preload, evict
    refusals  what cannot be proved fails as a job, and the daemon goes on
"""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

REQUESTS = {"porep-2KiB-v1_1": "porep", "winning-2KiB": "winning", "window-2KiB-2": "wpost", "update-2KiB": "snap"}


def check(condition, text):
    if not condition:
        sys.exit(str(text))


class Daemon:
    """Started and ready, with local parameters, on a unix socket."""

    def __init__(self, daemon, folder, params):
        self.socket, config, notify = folder / "cuzk.sock", folder / "cuzk.toml", folder / "notify"
        config.write_text('[daemon]\nlisten = "unix://%s"\n[memory]\ntotal_budget = "4GiB"\n[srs]\nparam_cache = "%s"\n'
                          'allow_local = true\nkeep_hot = []\n' % (self.socket, params))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
            ready.bind(str(notify))
            ready.settimeout(120)
            self.log = open(folder / "log", "w+")
            self.process = subprocess.Popen([daemon, "-c", config], stderr=self.log, env={**os.environ, "NOTIFY_SOCKET": str(notify)})
            while b"READY=1" not in ready.recv(4096):
                pass

    def stop(self):
        """By SIGTERM, which leaves nothing behind."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=120)
        self.log.seek(0)
        check(code == 0 and not self.socket.exists(), "the daemon ended with %d\n%s" % (code, self.log.read()))


class Session:
    def __init__(self, bench, address, vectors, params, folder):
        self.bench, self.address, self.folder = bench, address, folder
        self.inputs = pathlib.Path(vectors).resolve() / "inputs"
        self.check_here = ["--verify", "--param-cache", params, "--allow-local-params"]

    def run(self, *arguments, code=0, text=""):
        command = [self.bench, "-a", self.address, *map(str, arguments)]
        done = subprocess.run(command, text=True, capture_output=True, timeout=600)
        if done.returncode != code or text not in done.stdout + done.stderr:
            sys.exit("%s: exit code %d, expected %d and '%s'\n%s%s"
                     % (" ".join(command), done.returncode, code, text, done.stdout, done.stderr))
        return done.stdout

    def object(self, *arguments, **expected):
        return json.loads(self.run(*arguments, "--json", **expected))

    def request(self, name):
        manifest = json.loads((self.inputs / name / "manifest.json").read_text())
        kind = REQUESTS[name]
        options = ["-t", kind, "--c1" if kind == "porep" else "--vanilla", self.inputs / name, "--registered-proof",
                   manifest["registered_proof"], "--miner-id", manifest["miner_id"]]
        for key in ("randomness", "comm_r_old", "comm_r_new", "comm_d_new"):
            if key in manifest:
                options += ["--" + key.replace("_", "-"), manifest[key]]
        return options


def proofs(s):
    out = s.folder / "proof"
    for name in REQUESTS:
        call = ["single", *s.request(name), "--id", name, *s.check_here]
        text = s.run(*call, "--out", out, text="\nverified:  yes\n")
        check("\nstatus:    COMPLETED\njob_id:    %s\n" % name in text and "proof:     192 bytes (hex: " in text, text)
        again = s.object(*call)  # the same request: the proof that is kept
        check(again["verified"] and bytes.fromhex(again["proof"]) == out.read_bytes(), again)
        other = s.object("single", *s.request(name))  # another id: another proof
        check(other["proof"] != again["proof"] and other["status"] == "COMPLETED", other)
    job = s.object("submit", *s.request("winning-2KiB"))["job_id"]
    check(s.object("await", job)["proof_bytes"] == 192, "await")
    check(s.object("await", job, "--timeout-ms", 1)["status"] == "COMPLETED", "a job that has ended")
    batch = s.object("batch", *s.request("winning-2KiB"), "-c", 4, "-j", 4)
    check(batch["completed"] == 4 and len({p["job_id"] for p in batch["proofs"]}) == 4, batch)
    status = s.object("status")
    check(status["proofs_completed"] == 13 and status["proofs_failed"] == 0 and status["queues"] == [], status)
    check({"winning-2k", "wpost-2k"} <= {r["circuit_id"] for r in status["loaded_srs"]}, status)
    s.run("metrics", text="\ncuzk_proofs_completed_total 13\n")
    s.run("preload", "-c", "winning-2k", text="winning-2k already loaded\n")
    s.run("evict", "-c", "winning-2k", text="winning-2k evicted, ")
    s.run("evict", "-c", "winning-2k", text="winning-2k was not loaded\n")
    s.run("preload", "-c", "winning-2k", text="winning-2k loaded in ")


def refusals(s):
    porep = s.request("porep-2KiB-v1_1")
    s.run("single", *porep, "--sector-num", 2, code=1, text="miner/sector/ticket do not match the vanilla proof")
    s.run("single", "-t", "porep", "--c1", s.inputs / "winning-2KiB" / "vanilla.json", code=1, text="C1 parse failed: ")
    s.run("single", "-t", "snap", "--vanilla", s.inputs / "update-2KiB", code=1, text="comm_r_old must be exactly 32 bytes, got 0")
    s.run("single", *s.request("window-2KiB-2"), "--vanilla", s.inputs / "window-2KiB-2", code=1, text="status:    FAILED")
    s.run("single", "-t", "winning", "--vanilla", s.inputs / "winning-32GiB", "--registered-proof", 3, code=1, text="status:    FAILED")
    check(s.object("status")["proofs_failed"] == 5, "failed proofs")
    s.run("await", "nobody", code=2, text="NOT_FOUND: job not found: nobody")
    s.run("cancel", "nobody", text="nobody was not running\n")
    for command in ("preload", "evict"):
        s.run(command, "-c", "porep-3k", code=2, text="INVALID_ARGUMENT: unknown circuit ID: porep-3k")
    s.run("preload", "-c", "porep-32g", code=2, text="NOT_FOUND: ")
    s.run("single", *s.request("winning-2KiB"), *s.check_here, text="verified:  yes")


def main():
    action, bench, daemon, vectors, params = sys.argv[1:6]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server = Daemon(daemon, folder, pathlib.Path(params).resolve())
        try:
            {"proofs": proofs, "refusals": refusals}[action](Session(bench, "unix://%s" % server.socket, vectors, params, folder))
            server.stop()
        finally:
            server.process.kill()


main()
