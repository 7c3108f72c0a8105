#!/usr/bin/env python3
"""The cuzk program on SnarkPack aggregates: the reference's byte for byte, and what is refused.

usage: test_aggregate.py aggregates|refusals CUZK VECTORS
    aggregates  test SRS and aggregates equal the reference's; they verify, and altered ones do not
    refusals    wrong statements, proofs, files and calls: exit codes and texts
"""
import json
import pathlib
import subprocess
import sys
import tempfile

VK_DIGEST = "8742038036e9ddb53894dc1787aaa6d6"  # of the porep-2k key


class Session:
    def __init__(self, cuzk, vectors, folder):
        self.cuzk, self.vectors, self.folder = cuzk, pathlib.Path(vectors).resolve(), pathlib.Path(folder)
        self.inputs, self.proofs = self.vectors / "inputs", self.vectors / "proofs"

    def run(self, *arguments, code=0, text=""):
        done = subprocess.run([self.cuzk, *map(str, arguments)], text=True, capture_output=True)
        if done.returncode != code or text not in done.stdout + done.stderr:
            sys.exit("cuzk %s: exit code %d, expected %d and '%s'\n%s%s"
                     % (" ".join(map(str, arguments)), done.returncode, code, text, done.stdout, done.stderr))
        return done

    def local(self):
        """A parameter directory with the verifying key of the reference's test setup, and a note that vouches for it."""
        params = self.folder / "params"
        if not params.exists():
            params.mkdir()
            vk = next((self.vectors / "params").glob("*sha256_hasher*.vk"))
            (params / vk.name).write_bytes(vk.read_bytes())
            note = {"params_digest": "", "vk_digest": VK_DIGEST, "seed": "random", "date": "2026-01-01T00:00:00Z"}
            (params / (vk.stem + ".local.json")).write_text(json.dumps(note))
        return ["--param-cache", params, "--allow-local-params"]

    def srs(self, n_proofs):
        """The SRS of the reference's tests, with the note that lets it be used."""
        path = self.folder / ("%d.srs" % n_proofs)
        if not path.exists():
            self.run("setup-srs", "--proofs", n_proofs, "--seed", 0, "-o", path, text="LOCAL")
        return path

    def statement(self, name, **changes):
        """The manifest of a request with members changed, as a file."""
        manifest = json.loads((self.inputs / name / "manifest.json").read_text())
        path = self.folder / ("statement-%d.json" % len(list(self.folder.iterdir())))
        path.write_text(json.dumps({**manifest, **changes}))
        return path


def check(condition, text):
    if not condition:
        sys.exit(text)


def aggregates(s):
    out = s.folder / "aggregate.bin"
    for n in (2, 16):
        check(s.srs(n).read_bytes() == (s.proofs / ("aggregate-%d.srs" % n)).read_bytes(), "the SRS for %d differs" % n)
        s.run("inspect", s.srs(n), text="up to %d proofs" % n)
    for name, version, n in (("porep-2KiB-v1_1", 1, 2), ("porep-2KiB-v1_1", 2, 2), ("porep-2KiB-ni", 2, 16)):
        public = ["--srs", s.srs(n), "--version", version]
        c1 = ["--c1", s.inputs / name / "c1.json", "--miner-id", 1000]
        done = s.run("aggregate", *public, *c1, "--proof", s.proofs / (name + ".fixed.bin"), *s.local(), "-o", out, "--json")
        report = json.loads(done.stdout)
        check(report["verified"] and report["local_params"] and report["sectors"] == 1, done.stdout)
        check(report["proofs"] == (13 if n == 16 else 1), done.stdout)
        reference = s.proofs / ("%s.fixed.aggregate-v%d.bin" % (name, version))
        check(out.read_bytes() == reference.read_bytes(), "%s, version %d: differs from the reference's" % (name, version))
        check(bytes.fromhex(report["aggregate"]) == out.read_bytes(), "--json has another aggregate")
        s.run("inspect", out, text="aggregate of %d proofs" % n)
        # from the document, and from the public part alone
        for sector in (c1, ["--sector", s.inputs / name / "manifest.json"]):
            s.run("verify-aggregate", *public, *sector, *s.local(), "--aggregate", out, text="valid")
        if n == 2:
            other = ["--srs", s.srs(n), "--version", 3 - version]
            s.run("verify-aggregate", *other, *c1, *s.local(), "--aggregate", out, code=1, text="NOT VALID")
    # a sector from a list, in its folder; the same one twice is refused
    (s.folder / "proof.bin").write_bytes((s.proofs / "porep-2KiB-v1_1.random.bin").read_bytes())
    (s.folder / "sector.json").write_bytes((s.inputs / "porep-2KiB-v1_1" / "manifest.json").read_bytes())
    listed = s.folder / "sectors.txt"
    listed.write_text("# one sector\n\n sector.json\tproof.bin # its proof\n")
    s.run("aggregate", "--srs", s.srs(2), "--list", listed, *s.local(), "-o", out)
    s.run("verify-aggregate", "--srs", s.srs(2), "--list", listed, *s.local(), "--aggregate", out)
    listed.write_text("sector.json proof.bin\nsector.json proof.bin\n")
    s.run("aggregate", "--srs", s.srs(2), "--list", listed, *s.local(), code=2, text="sector 1: given twice")
    altered(s, out)
    several(s, out)


def several(s, out):
    """Three sectors, padded to four: order matters, and proofs that do not belong to their sectors are named."""
    known = pathlib.Path(__file__).resolve().parent / "aggregate"
    first = ["--sector", s.inputs / "porep-2KiB-v1_1" / "manifest.json", "--proof", s.proofs / "porep-2KiB-v1_1.random.bin"]
    two, three = ([known / ("sector-%d.%s" % (n, end)) for end in ("json", "bin")] for n in (2, 3))
    sectors = [*first, "--sector", two[0], "--proof", two[1], "--sector", three[0], "--proof", three[1]]
    for version in (1, 2):
        call = ["--srs", s.srs(4), "--version", version, *s.local()]
        s.run("aggregate", *call, *sectors, "-o", out, text="3 of 3 sectors")
        want = (known / ("sectors-1-2-3.aggregate-v%d.bin" % version)).read_bytes()
        check(out.read_bytes() == want, "the aggregate of three sectors differs, version %d" % version)
        s.run("verify-aggregate", *call, *sectors, "--aggregate", out, text="valid")
        other = [*first[:2], "--sector", three[0], "--sector", two[0]]
        s.run("verify-aggregate", *call, *other, "--aggregate", out, code=1, text="NOT VALID")
        s.run("verify-aggregate", *call, *sectors[:8], "--aggregate", out, code=2, text="of 4 proofs, but 2 sectors")
    listed = s.folder / "three.txt"
    listed.write_text("".join("%s %s\n" % tuple(pair) for pair in ((first[1], first[3]), two, three)))
    s.run("aggregate", *call, "--list", listed, "-o", out)
    check(out.read_bytes() == want, "the aggregate of a list differs")
    done = s.run("aggregate", *call, *first, "--sector", two[0], "--proof", three[1], "--sector", three[0], "--proof", two[1], code=1,
                 text="2 of 3 proofs do not verify: sector 2 partition 0 (%s), sector 3 partition 0" % three[1])
    check("[bad=2 of=3 bad_proofs=2/0,3/0]" in done.stderr, done.stderr)


def altered(s, out):
    """Another statement, or another aggregate, does not verify."""
    name = "porep-2KiB-v1_1"
    call = ["verify-aggregate", "--srs", s.srs(2), *s.local(), "--aggregate"]
    good = (s.proofs / (name + ".fixed.aggregate-v2.bin")).read_bytes()
    out.write_bytes(good + b"\0")  # verifiers of the network ignore what follows
    s.run(*call, out, "--sector", s.statement(name))
    out.write_bytes(good)
    other = "01" + "00" * 31
    for key, value in (("miner_id", 1001), ("sector_number", 2), ("comm_r", other), ("comm_d", other),
                       ("ticket", other), ("seed", other), ("registered_proof", 10)):
        s.run(*call, out, "--sector", s.statement(name, **{key: value}), code=1, text="NOT VALID")
    changed = bytearray(good)
    changed[5 * 288] ^= 0x20  # the sign of agg_c
    out.write_bytes(changed)
    s.run(*call, out, "--sector", s.statement(name), code=1, text="NOT VALID")
    for changed in (good[:-1], b"", good[:1488] + b"\3" + good[1489:], b"\xff" * len(good)):
        out.write_bytes(changed)
        s.run(*call, out, "--sector", s.statement(name), code=2, text="aggregate")
    s.run(*call, s.proofs / "porep-2KiB-ni.fixed.aggregate-v2.bin", "--sector", s.statement(name), code=2,
          text="of 16 proofs")


def refusals(s):
    name = "porep-2KiB-v1_1"
    sector, proof = ["--c1", s.inputs / name / "c1.json"], ["--proof", s.proofs / (name + ".fixed.bin")]
    srs = ["--srs", s.srs(2)]
    for command in ("aggregate", "verify-aggregate"):
        end = ["--aggregate", proof[1]] if command == "verify-aggregate" else []
        s.run(command, *srs, *end, code=2, text="no sector")
        s.run(command, *srs, *end, "--sector", "/nonexistent", *proof, code=2, text="/nonexistent")
        s.run(command, *srs, *end, "--sector", s.srs(2), *proof, code=2, text="2.srs")
        s.run(command, *srs, *end, *sector, *proof, "--version", 0, code=2)
        s.run(command, *srs, *end, *sector, *proof, "--version", 3, code=2)
        s.run(command, *srs, *end, *proof, code=2, text="--proof")
        s.run(command, *srs, *end, *sector, *proof, *proof, code=2, text="--proof")
        s.run(command, *srs, *end, *sector, *proof, "--param-cache", "/nonexistent", code=3, text="v28-")
    s.run("verify-aggregate", *srs, *sector, code=2, text="--aggregate")
    s.run("aggregate", *srs, *sector, code=2, text="no --proof")
    # statements: each member is needed and judged
    for key in ("registered_proof", "miner_id", "sector_number", "comm_r", "comm_d", "ticket", "seed"):
        text = s.statement(name).read_text().replace('"%s":' % key, '"x%s":' % key)
        path = s.folder / "incomplete.json"
        path.write_text(text)
        s.run("aggregate", *srs, "--sector", path, *proof, code=2, text='"%s"' % key)
    for key, value, text in (("registered_proof", 20, "there is no seal proof 20"), ("comm_r", "00" * 32, "sector 1: Invalid all zero"),
                             ("comm_d", "ff" * 32, "comm_d"), ("ticket", "00", "ticket"), ("seed", "zz" * 32, "seed"),
                             ("sector_number", -1, "sector_number"), ("comm_r", "bagboea", "comm_r")):
        s.run("aggregate", *srs, "--sector", s.statement(name, **{key: value}), *proof, code=2, text=text)
    s.run("aggregate", *srs, *sector, *proof, "--sector", s.statement("porep-2KiB-v1", sector_number=2), *proof, code=2,
          text="sector 2: registered proof 0")
    s.run("aggregate", *srs, "--sector", s.statement("porep-2KiB-ni"), *proof, "--version", 1, code=2, text="version 2 only")
    s.run("aggregate", *srs, *sector, "--proof", s.proofs / "porep-2KiB-ni.fixed.bin", code=2, text="2496 bytes long, expected 192")
    bad = s.folder / "bad.bin"
    good = bytearray(proof[1].read_bytes())
    bad.write_bytes(good[:48] + b"\xff" * 96 + good[144:])
    s.run("aggregate", *srs, *sector, "--proof", bad, code=2, text="sector 1: partition 0")
    listed = s.folder / "list.txt"
    for second in ("a b c", "a\0 b", "\0"):
        listed.write_text("a b\n" + second + "\na b\n")
        s.run("aggregate", *srs, "--list", listed, code=2, text="line 2")
    # of two types: the statement is at fault, no proof
    done = s.run("aggregate", *srs, *sector, *proof, "--sector", s.statement("porep-2KiB-ni"), *proof, code=2, text="registered proof 15")
    check(proof[1].name not in done.stderr, done.stderr)
    # an SRS that nothing vouches for, is damaged, or is too small
    local = s.local()
    s.run("aggregate", *srs, *sector, *proof, *local)
    s.run("aggregate", *srs, *sector, *proof, *local[:2], code=3, text="--allow-local-params")
    s.run("aggregate", *sector, *proof, *local, code=3, text="v28-fil-inner-product-v1.srs")
    stranger = s.folder / "stranger.srs"
    stranger.write_bytes(s.srs(2).read_bytes())
    s.run("aggregate", "--srs", stranger, *sector, *proof, *local, code=3, text="digest")
    s.run("aggregate", *srs, "--sector", s.statement("porep-2KiB-ni"), "--proof", s.proofs / "porep-2KiB-ni.fixed.bin", *local,
          code=3, text="an SRS of 32 powers, this one has 4")
    damaged = s.folder / "damaged.srs"
    changed = bytearray(s.srs(2).read_bytes())
    changed[60] ^= 1
    damaged.write_bytes(changed)
    s.run("inspect", damaged, code=2, text="NOT SOUND")
    # proofs that do not verify are named, and nothing is written
    out = s.folder / "out.bin"
    other = s.proofs / "porep-2KiB-v1.fixed.bin"
    s.run("aggregate", *srs, *sector, "--proof", other, *local, "-o", out, code=1,
          text="1 of 1 proofs do not verify: sector 1 partition 0 (%s)" % other)
    changed = bytearray((s.proofs / "porep-2KiB-ni.fixed.bin").read_bytes())
    changed[5 * 192], changed[7 * 192] = changed[5 * 192] ^ 0x20, changed[7 * 192] ^ 0x20
    bad.write_bytes(changed)
    s.run("aggregate", "--srs", s.srs(16), "--sector", s.statement("porep-2KiB-ni"), "--proof", bad, *local, "-o", out, code=1,
          text="2 of 13 proofs do not verify: sector 1 partition 5 (%s), sector 1 partition 7" % bad)
    check(not out.exists(), "an aggregate of bad proofs was written")
    # the setup never overwrites
    s.run("setup-srs", "-o", s.srs(2), code=3, text="exists")
    s.run("setup-srs", "-o", "/nonexistent/a.srs", code=3)
    s.run("setup-srs", code=2)
    s.run("setup-srs", "--proofs", 0, "-o", out, code=2, text="1 to 524288 proofs, not 0")
    s.run("setup-srs", "--proofs", 1 << 20, "-o", out, code=2)
    s.run("setup-srs", "--proofs", 3, "-o", s.folder / "random.srs")
    check((s.folder / "random.srs").read_bytes()[:1168] != s.srs(2).read_bytes(), "setup-srs without seed")
    s.run("inspect", s.statement(name), text="seal statement")


def main():
    action, cuzk, vectors = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        {"aggregates": aggregates, "refusals": refusals}[action](Session(cuzk, vectors, folder))


main()
