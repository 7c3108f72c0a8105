#!/usr/bin/env python3
"""The cuzk program on the PoRep vectors: setup, proofs byte for byte, verification, refusal of damaged input.

usage: test_porep.py setup|proofs|verify|invalid|usage|r1cs CUZK VECTORS PARAMS
    setup    makes the porep-2k parameters with the reference's test seed, unless PARAMS has them; compares their digests
    proofs   proofs with fixed blinding equal the reference's; one with fresh blinding verifies
    verify   the reference's proofs verify; altered proofs and statements do not
    invalid  every damaged request is refused before parameters are looked for
    r1cs     constraint systems of every PoRep size and test shape equal the reference's, within memory
    usage    exit codes and texts of wrong calls; other subcommands
"""
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SEED = "5962be5d763d318d17db37325406bce5"
STEM = ("v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
        "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f")
SHA256 = {
    ".params": "1bc0c022f18a3107a3cbf7723fd5324fbc020b6cb946276c21324ec33aa3321e",
    ".vk": "e7ccb8ec3fae6e5ef7ee5ecd91dc62545c7a6d91afe9bf4e44ebc5191630fb13",
}
# what is damaged: part of the text that must come, besides the file's name
INVALID = {
    "porep-base64": "offset 66486: not a base64 character",
    "porep-challenges-1": "partition 0",
    "porep-column-row": "partition 0, challenge 0",
    "porep-comm-d-zero": "Invalid all zero commitment (comm_d)",
    "porep-comm-r": "comm_r",
    "porep-comm-r-range": "comm_r",
    "porep-digest-256": "`256`",
    "porep-index": "challenge",
    "porep-json-truncated": "failed to deserialize SealCommitPhase1Output from JSON",
    "porep-missing-comm-d": "missing field `comm_d`",
    "porep-ni-partitions-12": "partition 12 >= vanilla_proofs.len() 12",
    "porep-partitions-0": "partition 0 >= vanilla_proofs.len() 0",
    "porep-partitions-2": "2 partitions",
    "porep-path-short": "path elements",
    "porep-registered-proof": "miner/sector/ticket do not match the vanilla proof",
    "porep-sector-number": "miner/sector/ticket do not match the vanilla proof",
    "porep-seed": "challenge",
    "porep-sibling-range": "modulus",
    "porep-tree-r-sibling": "TreeR",
    "porep-variant-v1_1": "unknown variant `StackedDrg2KiBV1_1`",
}
ACCEPTED = ["porep-label-parents", "porep-unknown-key", "porep-missing-h"]


class Session:
    def __init__(self, cuzk, vectors, params):
        self.cuzk, self.vectors, self.params = cuzk, pathlib.Path(vectors), pathlib.Path(params)

    def run(self, *arguments, code=0):
        done = subprocess.run([self.cuzk, *map(str, arguments)], text=True, capture_output=True)
        if done.returncode != code:
            sys.exit("cuzk %s: exit code %d, expected %d\n%s%s"
                     % (" ".join(map(str, arguments)), done.returncode, code, done.stdout, done.stderr))
        return done

    def request(self, folder):
        """-t, --c1 and what else the manifest of a request says."""
        manifest = json.loads((folder / "manifest.json").read_text())
        return ["-t", "porep", "--c1", folder / "c1.json", "--miner-id", manifest["miner_id"],
                "--sector-num", manifest["sector_number"], "--registered-proof", manifest["registered_proof"]]

    def local(self):
        return ["--param-cache", self.params, "--allow-local-params"]


def check(condition, text):
    if not condition:
        sys.exit(text)


def setup(s):
    s.params.mkdir(parents=True, exist_ok=True)
    if not (s.params / (STEM + ".local.json")).exists():
        s.run("setup", "porep-2k", "--seed", SEED, "--param-cache", s.params)
    for suffix, want in SHA256.items():
        digest = hashlib.sha256()
        with open(s.params / (STEM + suffix), "rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
        check(digest.hexdigest() == want, "%s has SHA-256 %s, the reference's has %s" % (suffix, digest.hexdigest(), want))
    vk = (s.params / (STEM + ".vk")).read_bytes()
    check(vk == (s.vectors / "params" / (STEM + ".vk")).read_bytes(), "the .vk differs from the reference's")
    # never overwrites
    s.run("setup", "porep-2k", "--seed", SEED, "--param-cache", s.params, code=3)
    check("local" in s.run("params", "check", s.params).stdout, "params check does not say 'local'")


def proofs(s):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "proof.bin"
        for name, only in (("porep-2KiB-v1_1", None), ("porep-2KiB-v1", None), ("porep-2KiB-synthetic", None),
                           ("porep-2KiB-ni", 12)):
            reference = json.loads((s.vectors / "proofs" / (name + ".fixed.json")).read_text())
            proof = reference["proofs"][only or 0]
            select = [] if only is None else ["--only", only]
            s.run("prove", *s.request(s.vectors / "inputs" / name), *s.local(), *select, "-o", out,
                  "--insecure-test-r", proof["r"], "--insecure-test-s", proof["s"])
            check(out.read_bytes().hex() == proof["proof"], name + ": the proof differs from the reference's")
        request = s.request(s.vectors / "inputs" / "porep-2KiB-v1_1")
        done = s.run("prove", *request, *s.local(), "-o", out, "--json", "--threads", 1)
        report = json.loads(done.stdout)
        check(report["verified"] and report["local_params"] and len(report["proof"]) == 384, done.stdout)
        check(report["peak_rss_bytes"] < 2500 << 20, "peak memory %d" % report["peak_rss_bytes"])
        s.run("verify", *request, *s.local(), "--proof", out)
        # local parameters only where allowed
        s.run("prove", *request, "--param-cache", s.params, "-o", out, code=3)


def verify(s):
    base = s.vectors / "proofs"
    with tempfile.TemporaryDirectory() as folder:
        bad = pathlib.Path(folder) / "bad.bin"
        for name in ("porep-2KiB-v1_1.random", "porep-2KiB-v1_1.fixed", "porep-2KiB-v1.fixed",
                     "porep-2KiB-synthetic.fixed", "porep-2KiB-ni.fixed"):
            request = s.request(s.vectors / "inputs" / name.split(".")[0])
            s.run("verify", *request, *s.local(), "--proof", base / (name + ".bin"))
        request = s.request(s.vectors / "inputs" / "porep-2KiB-v1_1")
        good = (base / "porep-2KiB-v1_1.random.bin").read_bytes()
        for at, bit in ((0, 0x20), (48, 0x20), (144, 0x20)):  # signs of A, B, C: still points of their groups
            changed = bytearray(good)
            changed[at] ^= bit
            bad.write_bytes(changed)
            s.run("verify", *request, *s.local(), "--proof", bad, code=1)
        for changed in (good[:-1], good + b"\0", good + good, b"", bytes(192), b"\xff" * 192):
            bad.write_bytes(changed)
            s.run("verify", *request, *s.local(), "--proof", bad, code=2)
        # from the public values alone, and with one of them altered
        m = json.loads((s.vectors / "inputs" / "porep-2KiB-v1_1" / "manifest.json").read_text())
        flags = {"--registered-proof": m["registered_proof"], "--miner-id": m["miner_id"],
                 "--sector-num": m["sector_number"], "--comm-r": m["comm_r"], "--comm-d": m["comm_d"],
                 "--ticket": m["ticket"], "--seed": m["seed"]}

        def call(flags, code):
            arguments = [str(x) for pair in flags.items() for x in pair]
            s.run("verify", "-t", "porep", *arguments, *s.local(), "--proof", base / "porep-2KiB-v1_1.random.bin",
                  code=code)

        call(flags, 0)
        for key, value in (("--miner-id", 1001), ("--sector-num", 2), ("--comm-r", "01" + "00" * 31),
                           ("--comm-d", "01" + "00" * 31), ("--ticket", "01" * 32), ("--seed", "01" * 32),
                           ("--registered-proof", 10)):
            call({**flags, key: value}, 1)
        call({**flags, "--comm-r": "00" * 32}, 2)
        call({**flags, "--registered-proof": 99}, 2)
        for key in flags:
            if key != "--miner-id":
                call({k: v for k, v in flags.items() if k != key}, 2)


def invalid(s):
    nowhere = ["--param-cache", "/nonexistent"]
    for folder in sorted((s.vectors / "invalid").glob("porep-*")):
        name = folder.name
        if name in ACCEPTED:
            done = s.run("prove", *s.request(folder), *nowhere, code=3)  # judged good: parameters are looked for
            check("v28-" in done.stderr, done.stderr)
            continue
        done = s.run("prove", *s.request(folder), *nowhere, code=2)
        lines = done.stderr.strip().splitlines()
        check(len(lines) == 1, name + ": more than one line:\n" + done.stderr)
        check(str(folder / "c1.json") in lines[0], name + ": the file is not named: " + lines[0])
        check(", challenge" not in lines[0] or "C1 parse failed" in lines[0] or "sector 1: partition 0, challenge" in lines[0],
              name + ": the sector is not named: " + lines[0])
        check(INVALID[name] in lines[0], "%s: no '%s' in: %s" % (name, INVALID[name], lines[0]))
    missing = sorted(set(INVALID) - {f.name for f in (s.vectors / "invalid").glob("porep-*")})
    check(not missing, "no vectors for " + ", ".join(missing))


def r1cs(s):
    circuits = json.loads(s.run("circuits", "--json").stdout)
    for circuit in circuits:
        if circuit["id"].startswith("porep-"):
            done = subprocess.Popen([s.cuzk, "r1cs", circuit["id"], "--json"], stdout=subprocess.PIPE, text=True)
            text = done.stdout.read()
            _, status, usage = os.wait4(done.pid, 0)
            print("%s: %.1f s CPU, %d MiB" % (circuit["id"], usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10))
            check(status == 0 and json.loads(text)["equals_reference"], circuit["id"] + ": " + text)
            check(usage.ru_maxrss < 2 << 20, circuit["id"] + ": more than 2 GiB")


def usage(s):
    c1 = s.vectors / "inputs" / "porep-2KiB-v1_1" / "c1.json"
    for arguments in ([], ["fly"], ["prove"], ["prove", "-t", "porep"], ["prove", "-t", "x", "--c1", c1],
                      ["prove", "-t", "porep", "--c1", "/nonexistent"], ["prove", "-t", "porep", "--c1", "/"],
                      ["prove", "-t", "porep", "--c1", c1, "--miner-id", "-1"], ["r1cs"], ["r1cs", "porep-3k"],
                      ["verify", "-t", "porep", "--c1", c1], ["prove", "-t", "porep", "--c1", c1, "--sector-num", "2"],
                      ["prove", "-t", "porep", "--c1", c1, "--miner-id", "7"],
                      ["prove", "-t", "porep", "--c1", c1, "--only", "1"],
                      ["prove", "-t", "porep", "--c1", c1, "--insecure-test-r", "00" * 32]):
        done = s.run(*arguments, code=2)
        check(done.stderr.strip() != "", "no text for " + str(arguments))
    done = s.run("prove", "-t", "porep", "--c1", c1, "--miner-id", "7", code=2)
    check("--miner-id" in done.stderr, "the text does not name --miner-id: " + done.stderr)
    s.run("prove", "-t", "porep", "--c1", c1, "--param-cache", "/nonexistent", code=3)
    s.run("setup", "porep-2k", code=2)  # the production directory must be named
    circuits = json.loads(s.run("circuits", "--json").stdout)
    by_id = {c["id"]: c for c in circuits}
    check(by_id["porep-32g"]["constraints"] == 130278541, "constraints of porep-32g")
    check(by_id["porep-32g"]["params_bytes"] == 47373928632, "parameter bytes of porep-32g")
    check(by_id["winning-32g"]["params_bytes"] == 192050232, "parameter bytes of winning-32g")
    report = json.loads(s.run("r1cs", "PoRep-2KiB", "--json").stdout)
    check(report["digest"] == "2c120b1125bd531d5a62b11932b2ae0e0cb47f455cea582994f97534e296bb42", str(report))
    check((report["constraints"], report["aux"], report["inputs"]) == (2687921, 2685673, 40), str(report))
    check("ok" in s.run("selftest").stdout, "selftest")
    check("sound" in s.run("inspect", c1).stdout, "inspect c1.json")
    s.run("inspect", s.vectors / "invalid" / "porep-json-truncated" / "c1.json", code=2)
    broken = s.run("inspect", s.vectors / "invalid" / "porep-tree-r-sibling" / "c1.json", code=2).stdout
    check("NOT SOUND" in broken and "partition 0, challenge 0: TreeR path" in broken, "inspect judges: " + broken)
    check("sound" in s.run("inspect", s.vectors / "params" / (STEM + ".vk")).stdout, "inspect .vk")
    check("sound" in s.run("inspect", s.vectors / "proofs" / "porep-2KiB-ni.fixed.bin").stdout, "inspect proof")
    check("WinningPoSt" in s.run("inspect", s.vectors / "inputs" / "winning-2KiB" / "sector-101.vproof").stdout,
          "inspect vanilla proof")


def main():
    action, cuzk, vectors, params = sys.argv[1:5]
    {"setup": setup, "proofs": proofs, "verify": verify, "invalid": invalid, "usage": usage, "r1cs": r1cs}[action](
        Session(cuzk, vectors, params))


main()
