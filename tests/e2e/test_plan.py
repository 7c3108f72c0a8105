#!/usr/bin/env python3
"""cuzk plan: what it lists, what fits, and that its memory is what a proof is granted.

usage: test_plan.py CUZK VECTORS
"""
import json
import pathlib
import subprocess
import sys
import tempfile

MIB = 1 << 20
PHASES = ["check", "synthesis", "quotient", "sums", "h sum", "decode"]


def run(cuzk, *arguments, code=0, text=""):
    done = subprocess.run([cuzk, *map(str, arguments)], text=True, capture_output=True)
    if done.returncode != code or text not in done.stdout + done.stderr:
        sys.exit("cuzk %s: exit code %d, expected %d and '%s'\n%s%s"
                 % (" ".join(map(str, arguments)), done.returncode, code, text, done.stdout, done.stderr))
    return done.stdout


def check(condition, text):
    if not condition:
        sys.exit(text)


def plans(cuzk, *arguments):
    return json.loads(run(cuzk, "plan", *arguments, "--json"))


def check_lists(cuzk, folder):
    found = plans(cuzk, "winning", "--param-cache", folder / "missing" / "too")
    ids = [p["circuit"] for p in found["plans"]]
    check("winning-2k" in ids and "winning-64g" in ids and all(i.startswith("winning-") for i in ids), str(ids))
    check(found["disk_free_bytes"] > 0 and found["threads"] >= 1, str(found))
    by_id = {p["circuit"]: p for p in found["plans"]}
    for p in found["plans"]:
        check([phase["name"] for phase in p["phases"]] == PHASES, str(p))
        check(all(phase["core_s"] >= 0 for phase in p["phases"]), str(p))
        check(abs(sum(phase["core_s"] for phase in p["phases"]) - p["core_s"]) < 1e-3, str(p))
        check(abs(p["wall_s"] * found["threads"] - p["core_s"]) < 1e-3, str(p))
        check(not p["params_present"] and p["fits_disk"] == (p["params_bytes"] <= found["disk_free_bytes"]), str(p))
        check(p["memory"]["resident"]["bytes"] > p["params_bytes"] * 0.9, str(p))
    check(by_id["winning-64g"]["core_s"] > by_id["winning-2k"]["core_s"], str(by_id))


def check_limits(cuzk):
    found = plans(cuzk, "porep-2k", "--memory", 300, "--threads", 3)
    check(found["memory_bytes"] == 300 * MIB and found["threads"] == 3 and len(found["plans"]) == 1, str(found))
    memory = found["plans"][0]["memory"]
    check(all(tier["fits"] == (tier["bytes"] <= 300 * MIB) for tier in memory.values()), str(memory))
    check(not memory["resident"]["fits"] and memory["resident"]["bytes"] > 1000 * MIB, str(memory))
    text = run(cuzk, "plan", "porep-2k", "--memory", 300)
    check("porep-2k: 1 partition of 2687921 constraints" in text and "DOES NOT FIT" in text, text)
    run(cuzk, "plan", "porep-3k", code=2, text="porep-3k")
    run(cuzk, "plan", "porep-2k", "winning", code=2)


def check_against_a_proof(cuzk, vectors, folder):
    """A proof that maps its points needs what the plan says: a little less is refused."""
    run(cuzk, "setup", "wpost-2k", "--param-cache", folder)
    keys = ["--param-cache", folder, "--threads", 1]
    plan = plans(cuzk, "wpost-2k", *keys)["plans"][0]
    check(plan["params_present"] and plan["fits_disk"], str(plan))
    inputs = vectors / "inputs" / "window-2KiB-1"
    m = json.loads((inputs / "manifest.json").read_text())
    prove = ["prove", "-t", "wpost", "--registered-proof", m["registered_proof"], "--miner-id", m["miner_id"],
             "--vanilla", inputs / "vanilla.json", "--randomness", m["randomness"], "--allow-local-params", *keys]
    need = plan["memory"]["mapped"]["bytes"]
    run(cuzk, *prove, "--memory", need // MIB + 1, text="verified")
    run(cuzk, *prove, "--memory", need * 9 // 10 // MIB, code=3)


def main():
    cuzk, vectors = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        check_lists(cuzk, pathlib.Path(folder))
        check_limits(cuzk)
        check_against_a_proof(cuzk, vectors, pathlib.Path(folder))


main()
