#!/usr/bin/env python3
"""The cuzk program on the PoSt and update vectors: setup, proofs byte for byte, verification, refusal of damaged input.

usage: test_kinds.py ACTION CUZK VECTORS PARAMS
    setup_post, setup_update    makes parameters with the reference's test seed, unless PARAMS has them; compares digests
    proofs_post, proofs_update  proofs with fixed blinding equal the reference's; one with fresh blinding verifies
    tiers_post                  every tier gives the same proofs, charges what was planned, and tells its times
    verify   the reference's proofs verify, from files and from options; altered proofs and statements do not
    invalid  every damaged request is refused before parameters are looked for
    usage    exit codes and texts of wrong calls; what inspect says of vanilla proofs
    circuits sizes and constraint systems of small circuits of each kind
    r1cs     constraint systems of all circuits equal the reference's, within time and memory
"""
import base64
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SEED = "5962be5d763d318d17db37325406bce5"
POST = "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
# circuit: stem, SHA-256 of .params, first 16 bytes of BLAKE2b-512 of .vk
CIRCUITS = {
    "winning-2k": (POST + "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e",
                   "64182a387a7604b6e34253f7c2cb3f9d31f1dd962f136043d14ab2e9f5e731e8", "60617047167404629812e01ff0d4e3b5"),
    "wpost-2k": (POST + "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0",
                 "5a4be35a58bd937f8aed3b904758e19145f9f5b4c061427eb007113f36a462d7", "ae07b06e2db9388519e4585d1b97038b"),
    "snap-2k": ("v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
                "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194",
                "e8b9c4b1d1e4b0a28fa91f1e5efc4a1a747b2bec024f81d3e990bdcae7f0e734", "659a592e1af74305bbf1f95cea85fbe3"),
}
TYPES = {"winning": "winning", "window": "wpost", "update": "snap"}
# what is damaged: parts of the text that must come
INVALID = {
    "window-comm-r": ["sector 101"],
    "window-comm-r-last": ["sector 101"],
    "window-duplicate": ["101"],
    "window-index-range": ["sector 101", "index"],
    "window-leaf-range": ["sector 101"],
    "window-length-huge": ["sector 101", "inclusion proofs"],
    "window-none": ["no "],
    "window-proofs-9": ["sector 101", "found 9"],
    "window-randomness": ["sector 101"],
    "window-randomness-range": ["randomness"],
    "window-sibling": ["sector 101", "challenge"],
    "window-tag": ["sector 101, challenge 0", "variant"],
    "window-truncated": ["failed to deserialize WindowPoSt vanilla proof", "sector 101"],
    "winning-proofs-65": ["sector 101", "found 65"],
    "winning-sibling": ["sector 101", "challenge 65"],
    "winning-swapped": ["sector 101", "challenge 0"],
    "winning-two-sectors": ["2"],
    "update-apex": ["sector 1: partition 0"],
    "update-challenges-9": ["sector 1, partition 0", "found 9"],
    "update-comm-r-new": ["comm_r_new"],
    "update-comm-r-old-range": ["comm_r_old"],
    "update-partitions-3": ["partition 3 >= "],
    "update-r-old-sibling": ["sector 1: partition 0, challenge"],
    "update-truncated": ["failed to deserialize SnapDeals partition proof: sector 1, partition 0"],
}
ACCEPTED = ["window-trailing"]


class Session:
    def __init__(self, cuzk, vectors, params, folder):
        self.cuzk, self.vectors, self.params = cuzk, pathlib.Path(vectors), pathlib.Path(params)
        self.folder = pathlib.Path(folder)

    def run(self, *arguments, code=0, text=""):
        done = subprocess.run([self.cuzk, *map(str, arguments)], text=True, capture_output=True)
        if done.returncode != code or text not in done.stdout + done.stderr:
            sys.exit("cuzk %s: exit code %d, expected %d and '%s'\n%s%s"
                     % (" ".join(map(str, arguments)), done.returncode, code, text, done.stdout, done.stderr))
        return done

    def manifest(self, folder):
        return json.loads((folder / "manifest.json").read_text())

    def values(self, folder):
        """The options of a request but its files."""
        m = self.manifest(folder)
        options = {"-t": TYPES[m["kind"]], "--registered-proof": m["registered_proof"], "--miner-id": m["miner_id"]}
        if m["kind"] == "update":
            options.update({"--sector-num": m["sector_number"], "--comm-r-old": m["comm_r_old"],
                            "--comm-r-new": m["comm_r_new"], "--comm-d-new": m["comm_d_new"]})
        else:
            options["--randomness"] = m["randomness"]
        return options

    def request(self, folder, raw=False):
        files = [folder / name for name in self.manifest(folder)["files"]] if raw else [folder / "vanilla.json"]
        return flat(self.values(folder)) + [x for name in files for x in ("--vanilla", name)]

    def local(self):
        return ["--param-cache", self.params, "--allow-local-params"]

    def vouched(self):
        """A parameter directory with the verifying keys of the reference's test setups, and notes that vouch for them."""
        params = self.folder / "params"
        if not params.exists():
            params.mkdir()
            for stem, _, digest in CIRCUITS.values():
                (params / (stem + ".vk")).write_bytes((self.vectors / "params" / (stem + ".vk")).read_bytes())
                note = {"params_digest": "", "vk_digest": digest, "seed": "random", "date": "2026-01-01T00:00:00Z"}
                (params / (stem + ".local.json")).write_text(json.dumps(note))
        return ["--param-cache", params, "--allow-local-params"]


def flat(options):
    return [str(x) for pair in options.items() for x in pair]


def check(condition, text):
    if not condition:
        sys.exit(text)


def setup(s, circuits):
    s.params.mkdir(parents=True, exist_ok=True)
    for circuit in circuits:
        stem, want, _ = CIRCUITS[circuit]
        if not (s.params / (stem + ".local.json")).exists():
            s.run("setup", circuit, "--seed", SEED, "--param-cache", s.params, text=stem)
        digest = hashlib.sha256()
        with open(s.params / (stem + ".params"), "rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
        check(digest.hexdigest() == want, "%s.params has SHA-256 %s, the reference's has %s" % (stem, digest.hexdigest(), want))
        vk = (s.params / (stem + ".vk")).read_bytes()
        check(vk == (s.vectors / "params" / (stem + ".vk")).read_bytes(), "%s.vk differs from the reference's" % stem)
        s.run("setup", circuit, "--seed", SEED, "--param-cache", s.params, code=3)  # never overwrites
        judged = s.run("params", "check", s.params).stdout
        check(any(line.startswith(circuit + " ") and "local" in line for line in judged.splitlines()), judged)


PHASES = ["read", "check", "parameters", "structure", "synthesis", "ntt", "l", "a", "b_g1", "b_g2", "h", "assemble", "verify"]
BASELINE_BYTES = 24 << 20  # the program itself, and what it keeps of a request


def tiers(s):
    blinding = [x for side in "rs" for x in ("--insecure-test-" + side, "01" + 31 * "00")]
    for name, n_partitions in (("winning-2KiB", 1), ("window-2KiB-3", 2)):
        request = ["prove", *s.request(s.vectors / "inputs" / name), *s.local(), *blinding, "--json"]
        made = set()
        for tier in ("mapped", "streamed", "resident", "auto"):
            os.environ["CUZK_TIMING"] = "1"
            done = s.run(*request, "--tier", tier)
            del os.environ["CUZK_TIMING"]
            report = json.loads(done.stdout)
            made.add(report["proof"])
            check(report["tier"] == ("mapped" if tier == "auto" else tier) and report["at_once"] == n_partitions, done.stdout)
            before = report["charged_bytes"] - report["planned_bytes"]
            check(0 <= before < 1 << 20, "charged is not planned: " + done.stdout)
            check(report["peak_rss_bytes"] <= 1.03 * report["planned_bytes"] + BASELINE_BYTES, done.stdout)
            lines = [line for line in done.stderr.splitlines() if line.startswith("CUZK_TIMING: ")]
            check(set(line.split()[1] for line in lines) == set(PHASES), done.stderr)
            check([phase["name"] for phase in report["phases"]] == PHASES, done.stdout)
            for phase in report["phases"]:
                times = [line.split()[2:] for line in lines if line.split()[1] == phase["name"]]
                for i, member in enumerate(("wall", "cpu", "wait")):
                    total = sum(float(t[i].removeprefix(member + "_ms=")) for t in times)
                    check(abs(total - 1000 * phase[member + "_s"]) < 0.01, "%s %s" % (lines, phase))
        check(len(made) == 1, name + ": tiers give different proofs")
        check("CUZK_TIMING" not in s.run(*request, "--tier", "mapped").stderr, "timing lines that nobody wants")
    s.run(*request, "--tier", "disk", code=2, text="auto, resident, mapped, streamed")
    # one partition after the other, where there is no room for both
    two = json.loads(s.run(*request, "--tier", "streamed").stdout)
    report = json.loads(s.run(*request, "--tier", "streamed", "--memory", (two["charged_bytes"] >> 20) - 1).stdout)
    check(report["proof"] == two["proof"] and report["planned_bytes"] < two["planned_bytes"], str(report))
    s.run(*request, "--memory", 5, code=3)


def proofs(s, names):
    out = s.folder / "proof.bin"
    for name in names:
        folder = s.vectors / "inputs" / name
        for mode in ("fixed", "zero"):
            path = s.vectors / "proofs" / ("%s.%s.json" % (name, mode))
            for k, proof in enumerate(json.loads(path.read_text())["proofs"] if path.exists() else []):
                s.run("prove", *s.request(folder, raw=k == 1), *s.local(), "--only", k, "-o", out,
                      "--insecure-test-r", proof["r"], "--insecure-test-s", proof["s"])
                check(out.read_bytes().hex() == proof["proof"],
                      "%s, partition %d: the proof differs from the reference's" % (path.name, k))
        if name in ("window-2KiB-3", "window-2KiB-v1-3"):
            whole_partitions(s, folder, out)
        request = s.request(folder)
        report = json.loads(s.run("prove", *request, *s.local(), "-o", out, "--json").stdout)
        partitions = s.manifest(folder)["partitions"]
        check(report["verified"] and report["partitions"] == partitions and len(report["proof"]) == 384 * partitions, str(report))
        s.run("verify", *request, *s.local(), "--proof", out, text="valid")
        s.run("prove", *request, "--param-cache", s.params, "-o", out, code=3)  # local parameters only where allowed


def whole_partitions(s, folder, out):
    """Each partition as a request of its own: where it is in the proof decides the challenges of V1."""
    files = [folder / name for name in s.manifest(folder)["files"]]
    for k, proof in enumerate(json.loads((s.vectors / "proofs" / (folder.name + ".fixed.json")).read_text())["proofs"]):
        request = flat(s.values(folder)) + [x for name in files[2 * k:2 * k + 2] for x in ("--vanilla", name)]
        s.run("prove", *request, "--partition", k, *s.local(), "-o", out,
              "--insecure-test-r", proof["r"], "--insecure-test-s", proof["s"])
        check(out.read_bytes().hex() == proof["proof"], "%s as partition %d: the proof differs from the reference's" % (folder.name, k))
        s.run("verify", *request, "--partition", k, *s.local(), "--proof", out, text="valid")
        if "v1" in folder.name:
            s.run("prove", *request, "--partition", 1 - k, *s.local(), "-o", out, code=2, text="inconsistent")


def verify(s):
    bad = s.folder / "bad.bin"
    other = "01" + "00" * 31
    names = ["winning-2KiB", "window-2KiB-1", "window-2KiB-2", "window-2KiB-3", "window-2KiB-v1-3", "update-2KiB"]
    for name in names:
        folder = s.vectors / "inputs" / name
        m, values = s.manifest(folder), s.values(folder)
        good = s.vectors / "proofs" / (name + ".random.bin")
        sectors = [x for i in m.get("sectors", []) for x in ("--sector", "%d:%s" % (i["sector_number"], i["comm_r"]))]
        for more in (s.request(folder), s.request(folder, raw=True), flat(values) + sectors):
            s.run("verify", *more, *s.vouched(), "--proof", good, text="valid")
        for k in range(m["partitions"]):
            bad.write_bytes(good.read_bytes()[192 * k:192 * k + 192])
            s.run("verify", *flat(values), *sectors, *s.vouched(), "--proof", bad, "--only", k, text="valid")
            s.run("verify", *flat(values), *sectors, *s.vouched(), "--proof", bad, "--only", m["partitions"], code=2)
        changed = bytearray(good.read_bytes())
        changed[-48] ^= 0x20  # the sign of the last C
        bad.write_bytes(changed)
        s.run("verify", *flat(values), *sectors, *s.vouched(), "--proof", bad, code=1, text="partition %d" % (m["partitions"] - 1))
        for changed in (changed[:-1], changed + b"\0", b"", bytes(192 * m["partitions"])):
            bad.write_bytes(changed)
            s.run("verify", *flat(values), *sectors, *s.vouched(), "--proof", bad, code=2)
        altered = {"--randomness": other, "--miner-id": 1001} if sectors else {
            "--comm-r-old": other, "--comm-r-new": other, "--comm-d-new": other}
        for key, value in altered.items():
            if key != "--miner-id":  # the miner is in no public input
                s.run("verify", *flat({**values, key: value}), *sectors, *s.vouched(), "--proof", good, code=1, text="NOT VALID")
        if sectors:
            for changed in (["--sector", "7:" + m["sectors"][0]["comm_r"]], ["--sector", "%d:%s" % (m["sectors"][0]["sector_number"], other)]):
                s.run("verify", *flat(values), *changed, *sectors[2:], *s.vouched(), "--proof", good, code=1, text="NOT VALID")
            s.run("verify", *flat(values), *s.vouched(), "--proof", good, code=2, text="--sector")
            s.run("verify", *s.request(folder), *sectors, *s.vouched(), "--proof", good, code=2, text="--sector")
            s.run("verify", *flat(values), "--sector", "101", *s.vouched(), "--proof", good, code=2, text="--sector")
            s.run("verify", *flat(values), "--sector", "101:00", *s.vouched(), "--proof", good, code=2, text="--sector")
        s.run("verify", *flat({**values, "--registered-proof": 99}), *sectors, *s.vouched(), "--proof", good, code=2, text="99")
        if sectors:  # a kind and the number of another
            kind, name = ("winning", "WinningPoSt") if values["-t"] == "wpost" else ("wpost", "WindowPoSt")
            s.run("verify", *flat({**values, "-t": kind}), *sectors, *s.vouched(), "--proof", good, code=2,
                  text="invalid registered proof for %s: " % name)
        if values["-t"] == "winning":  # which is no part of a larger proof
            s.run("verify", *flat(values), *sectors, *s.vouched(), "--proof", good, "--partition", 7, text="valid")
    # a partition of its own is called what it is in the whole proof
    folder = s.vectors / "inputs" / "window-2KiB-v1-3"
    third = flat(s.values(folder)) + ["--vanilla", folder / s.manifest(folder)["files"][2]]
    proof = bytearray((s.vectors / "proofs" / "window-2KiB-v1-3.random.bin").read_bytes()[192:])
    bad.write_bytes(proof)
    s.run("verify", *third, "--partition", 1, *s.vouched(), "--proof", bad, text="valid")
    proof[-48] ^= 0x20
    bad.write_bytes(proof)
    s.run("verify", *third, "--partition", 1, *s.vouched(), "--proof", bad, code=1, text="partition 1: ")


def invalid(s):
    nowhere = ["--param-cache", "/nonexistent"]
    seen = set()
    for folder in sorted((s.vectors / "invalid").iterdir()):
        name = folder.name
        if name.split("-")[0] not in TYPES:
            continue
        seen.add(name)
        if name in ACCEPTED:
            s.run("prove", *s.request(folder), *nowhere, code=3, text="v28-")  # judged good: parameters are looked for
            continue
        for raw in (False, True):
            if raw and not s.manifest(folder)["files"]:
                continue
            done = s.run("prove", *s.request(folder, raw), *nowhere, code=2)
            lines = done.stderr.strip().splitlines()
            check(len(lines) == 1, name + ": more than one line:\n" + done.stderr)
            for text in INVALID[name]:
                check(text in lines[0], "%s: no '%s' in: %s" % (name, text, lines[0]))
    check(seen == set(INVALID) | set(ACCEPTED), "vectors and expectations differ: %s" % (seen ^ (set(INVALID) | set(ACCEPTED))))


def usage(s):
    done = subprocess.run([s.cuzk, "selftest"], env={**os.environ, "CUZK_CPU": "abacus"}, text=True, capture_output=True)
    check(done.returncode == 3 and "CUZK_CPU=abacus: this machine and build have portable" in done.stderr, done.stderr)
    inputs = s.vectors / "inputs"
    winning, window, update = inputs / "winning-2KiB", inputs / "window-2KiB-3", inputs / "update-2KiB"
    nowhere = ["--param-cache", "/nonexistent"]
    s.run("prove", "-t", "winning", code=2, text="--vanilla required for PoSt/SnapDeals proof types")
    s.run("prove", "-t", "wpost", "--vanilla", "/nonexistent", code=2, text="/nonexistent")
    s.run("prove", "-t", "winning", "--vanilla", s.vectors / "params" / (CIRCUITS["wpost-2k"][0] + ".vk"), code=2, text=".vk")
    values = s.values(update)
    for missing in ("--comm-r-old", "--comm-r-new", "--comm-d-new"):
        less = {key: value for key, value in values.items() if key != missing}
        s.run("prove", *flat(less), "--vanilla", update / "vanilla.json", code=2,
              text="%s must be exactly 32 bytes" % missing[2:].replace("-", "_"))
        s.run("prove", *flat({**values, missing: "00"}), "--vanilla", update / "vanilla.json", code=2, text=missing)
    s.run("prove", *flat({**s.values(winning), "--randomness": "00"}), "--vanilla", winning / "vanilla.json", code=2, text="--randomness")
    for folder in (winning, window, update):
        for number in (99, 14):  # none, and one of another size or kind
            s.run("prove", *flat({**s.values(folder), "--registered-proof": number}), "--vanilla", folder / "vanilla.json", *nowhere, code=2,
                  text="" if folder == window and number == 14 else "invalid registered proof for ")
        s.run("prove", *s.request(folder), *nowhere, code=3, text="v28-")
        s.run("prove", *s.request(folder), *nowhere, "--only", 9, code=2, text="partition 9")
        # judged before anything is looked for: where the proof goes, fixed blinding
        for output in (s.folder, s.folder / "none" / "proof.bin", ""):
            s.run("prove", *s.request(folder), *nowhere, "-o", output, code=3, text="create" if output == "" else str(s.folder))
        for blinding in ("--insecure-test-r", "--insecure-test-s"):
            less = {"--insecure-test-r": "00" * 32, "--insecure-test-s": "00" * 32, blinding: "ff" * 32}
            s.run("prove", *s.request(folder), *nowhere, *flat(less), code=2, text="below the field modulus")
        # without its number a bigger sector's proof gets a hint
    eight = {key: value for key, value in s.values(inputs / "winning-8MiB").items() if key != "--registered-proof"}
    s.run("prove", *flat(eight), "--vanilla", inputs / "winning-8MiB" / "vanilla.json", *nowhere, code=2, text="--registered-proof")
    # the list of bad sectors stays at the end
    less = {key: value for key, value in s.values(winning).items() if key != "--registered-proof"}
    done = s.run("prove", *flat({**less, "--randomness": "01" + "00" * 31}), "--vanilla", winning / "vanilla.json", *nowhere, code=2)
    check(done.stderr.endswith(" bad_sectors=101]\n"), done.stderr)
    # ... and is whole, however long: every second of 400 sectors
    many = s.folder / "many"
    s.run("fabricate", "wpost", "--sector-size", "8MiB", "--sectors", 400, "-o", many)
    manifest = json.loads((many / "manifest.json").read_text())
    bad = []
    proofs = json.loads((many / "vanilla.json").read_text())
    for i in range(0, 400, 2):
        vanilla = bytearray(base64.b64decode(proofs[i]))
        vanilla[-1] ^= 1
        proofs[i] = base64.b64encode(vanilla).decode()
        bad.append(str(int.from_bytes(vanilla[:8], "little")))
    (s.folder / "many.json").write_text(json.dumps(proofs))
    done = s.run("prove", "-t", "wpost", "--vanilla", s.folder / "many.json", "--registered-proof", manifest["registered_proof"],
                 "--randomness", manifest["randomness"], *nowhere, code=2, text="bad=200 of=400")
    check(done.stderr.endswith(" bad_sectors=%s]\n" % ",".join(bad)), done.stderr)
    # three sectors are two partitions, but no whole partition
    s.run("prove", *s.request(window), "--partition", 0, *nowhere, code=2, text="3")
    broken = s.folder / "broken.json"
    for text in ('["AAAA', '["AA"]', "[1]", '["AAAA"] x', "[]"):
        broken.write_text(text)
        s.run("prove", "-t", "winning", "--vanilla", broken, *nowhere, code=2)
        s.run("inspect", broken, code=2, text="NOT SOUND")
    for folder, text in ((winning, "WinningPoSt"), (window, "WindowPoSt"), (update, "update")):
        s.run("inspect", folder / "vanilla.json", text=text)
        for name in s.manifest(folder)["files"]:
            s.run("inspect", folder / name, text=text)
    # binary that begins as JSON may
    raw = s.folder / "raw.vproof"
    for start in (b"{", b"[", b"\0{", b"\n{", b" [", b'{"'):
        for folder, name in ((winning, "sector-101.vproof"), (window, "sector-101.vproof"), (update, "partition-0.vproof")):
            raw.write_bytes(start + (folder / name).read_bytes()[len(start):])
            s.run("inspect", raw, text="vanilla proof of a ")
    mixed = s.folder / "mixed.json"
    both = [json.loads((folder / "vanilla.json").read_text())[0] for folder in (window, inputs / "window-8MiB-2")]
    mixed.write_text(json.dumps(both))
    s.run("inspect", mixed, code=2, text="[1]: vanilla proof of a sector for WindowPoSt, 8MiB")


def circuits(s):
    listed = {c["id"]: c for c in json.loads(s.run("circuits", "--json").stdout)}
    for circuit, params_bytes in (("winning-2k", 47299128), ("wpost-2k", 11501496), ("snap-2k", 655789464)):
        check(listed[circuit]["params_bytes"] == params_bytes and listed[circuit]["file"] == CIRCUITS[circuit][0], str(listed[circuit]))
    check(listed["wpost-32g"]["constraints"] == 125279217 and listed["wpost-32g"]["published"], str(listed["wpost-32g"]))
    for name, circuit in (("WINNING-2KiB", "winning-2k"), ("window-2KiB", "wpost-2k"), ("update-2KiB", "snap-2k"),
                          ("snap-poseidon-1k", "snap-poseidon-1k")):
        report = json.loads(s.run("r1cs", name, "--json").stdout)
        check(report["circuit"] == circuit and report["equals_reference"], str(report))
        check(all(report[key] == listed[circuit][key] for key in ("constraints", "inputs", "aux", "log2_domain")), str(report))
    check(all(c["constraints"] > 0 and c["params_bytes"] > 0 for c in listed.values()), "a circuit without sizes")
    for circuit in listed:  # shapes without parameters, and those whose digest the reference does not state
        if circuit.startswith("wpost-test-") or circuit in ("snap-poseidon-2k", "snap-poseidon-16k", "snap-poseidon-8m"):
            report = json.loads(s.run("r1cs", circuit, "--json").stdout)
            check(report.get("equals_reference", True) and ("equals_reference" in report) == circuit.startswith("wpost"), str(report))
            check(all(report[key] == listed[circuit][key] for key in ("constraints", "inputs", "aux", "log2_domain")), str(report))
    s.run("r1cs", "winning-2g", code=2, text="winning-2g")
    checked = s.run("params", "check", *s.vouched()[:2], s.folder / "params").stdout
    for circuit in CIRCUITS:
        check(any(line.startswith(circuit + " ") for line in checked.splitlines()), checked)


def r1cs(s):
    for circuit in json.loads(s.run("circuits", "--json").stdout):
        if circuit["id"].startswith("porep-"):
            continue
        done = subprocess.Popen([s.cuzk, "r1cs", circuit["id"], "--json"], stdout=subprocess.PIPE, text=True)
        text = done.stdout.read()
        _, status, usage = os.wait4(done.pid, 0)
        cpu_s = usage.ru_utime + usage.ru_stime
        print("%s: %.1f s CPU, %d MiB" % (circuit["id"], cpu_s, usage.ru_maxrss >> 10))
        report = json.loads(text)
        check(status == 0 and report["constraints"] == circuit["constraints"], circuit["id"] + ": " + text)
        check(report.get("equals_reference", circuit["id"].startswith("snap-poseidon-")), circuit["id"] + ": " + text)
        check(usage.ru_maxrss < 2 << 20 and cpu_s < 600, circuit["id"] + ": more than 2 GiB or 10 minutes")


ACTIONS = {
    "setup_post": lambda s: setup(s, ["winning-2k", "wpost-2k"]),
    "setup_update": lambda s: setup(s, ["snap-2k"]),
    "proofs_post": lambda s: proofs(s, ["winning-2KiB", "window-2KiB-1", "window-2KiB-2", "window-2KiB-3", "window-2KiB-v1-3"]),
    "proofs_update": lambda s: proofs(s, ["update-2KiB"]),
    "tiers_post": tiers,
    "verify": verify,
    "invalid": invalid,
    "usage": usage,
    "circuits": circuits,
    "r1cs": r1cs,
}


def main():
    action, cuzk, vectors, params = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as folder:
        ACTIONS[action](Session(cuzk, vectors, params, folder))


main()
