#!/usr/bin/env python3
"""cuzk-bench on the vectors. synth-only: what it prints, digests equal to the reference's by every way of making rows;
prove-only: proofs that its check accepts.

usage: test_bench.py ACTION CUZK_BENCH VECTORS
    shape    the text line by line, and the JSON
    digests  of every kind, against the reference's witness files
    indexes  lists of terms: equal digests, different numbers of allocations
    usage    exit codes and texts of wrong calls
    proofs   prove-only
"""
import json
import pathlib
import re
import subprocess
import sys

TYPES = {"porep": "porep", "winning": "winning", "window": "wpost", "update": "snap"}
INDEXES = ("vec", "smallvec1", "smallvec2", "smallvec4")
VECTORS = ("aux", "a", "b", "c")


class Session:
    def __init__(self, bench, vectors):
        self.bench, self.vectors = bench, pathlib.Path(vectors)

    def run(self, *arguments, code=0, text=""):
        done = subprocess.run([self.bench, *map(str, arguments)], text=True, capture_output=True)
        if done.returncode != code or text not in done.stdout + done.stderr:
            sys.exit("cuzk-bench %s: exit code %d, expected %d and '%s'\n%s%s"
                     % (" ".join(map(str, arguments)), done.returncode, code, text, done.stdout, done.stderr))
        return done

    def synth(self, name, *arguments, **expected):
        return self.run("synth-only", *self.request(name), *arguments, **expected)

    def report(self, name, *arguments):
        return json.loads(self.synth(name, *arguments, "--json").stdout)

    def request(self, name):
        folder = self.vectors / "inputs" / name
        m = json.loads((folder / "manifest.json").read_text())
        if m["kind"] == "porep":
            return ["--c1", folder / "c1.json"]
        options = ["-t", TYPES[m["kind"]], "--registered-proof", m["registered_proof"], "--miner-id", m["miner_id"],
                   "--vanilla", folder / "vanilla.json"]
        if m["kind"] == "update":
            return options + ["--comm-r-old", m["comm_r_old"], "--comm-r-new", m["comm_r_new"], "--comm-d-new", m["comm_d_new"]]
        return options + ["--randomness", m["randomness"]]

    def reference(self, name, partition):
        """What the reference's witness file says before the digests of blocks."""
        lines = (self.vectors / "witness" / ("%s.p%d.txt" % (name, partition))).read_text().splitlines()
        return {line.split()[0]: line.split()[1] for line in lines if len(line.split()) == 2}


def check(condition, text):
    if not condition:
        sys.exit(text)


def check_partition(s, name, found):
    want = s.reference(name, found["partition"])
    for key in ("inputs", "aux", "constraints"):
        check(found[key] == int(want[key]), "%s: %s is %d, not %s" % (name, key, found[key], want[key]))
    for key in VECTORS:
        key += "_digest"
        check(found[key] == want[key], "%s: %s is %s, not %s" % (name, key, found[key], want[key]))
    check(found["satisfied"], name + ": not satisfied")


def shape(s):
    c1 = s.request("porep-2KiB-v1_1")[1]
    number = r"\d+\.\ds"
    line = r"  \[%d\] wall=" + number + "  synth=" + number + "  circuits=1  constraints=2687921\n"
    want = (r"=== Synthesis Microbenchmark ===\nc1:         %s\nsector:     1 \(miner 1000\)\npartition:  %s\niterations: %d\n\n"
            r"c1 loaded:  %d bytes\n")
    summary = (r"\n=== Summary \(2 iterations\) ===\nwall:   avg=%s  min=%s\nsynth:  avg=%s  min=%s\n" % ((number,) * 4))
    done = s.synth("porep-2KiB-v1_1")
    text = want % (re.escape(str(c1)), "all", 1, c1.stat().st_size) + line % 1
    check(re.fullmatch(text, done.stdout), done.stdout)
    check("job_id=synth-bench-1" in done.stderr and "partition synthesis complete" in done.stderr, done.stderr)
    done = s.synth("porep-2KiB-v1_1", "-i", 2, "--partition", 0, "--sector-num", 1, "--miner-id", 1000)
    text = want % (re.escape(str(c1)), "0", 2, c1.stat().st_size) + line % 1 + line % 2 + summary
    check(re.fullmatch(text, done.stdout), done.stdout)
    done = s.synth("window-2KiB-3", "--perf", text="circuits=2  constraints=21866")
    check("no hardware counters" in done.stdout or "cycles" in done.stdout, done.stdout)
    report = s.report("winning-2KiB", "-i", 3, "--perf")
    check(report["type"] == "winning" and report["partition"] is None and len(report["iterations"]) == 3, str(report))
    for iteration in report["iterations"]:
        check(iteration["circuit"] == "winning-2k" and iteration["constraints"] == 90750 and iteration["circuits"] == 1, str(report))
        check(0 < iteration["synth_s"] <= iteration["wall_s"], str(report))
        check(iteration["perf"]["hardware"] == any(iteration["perf"][key] is not None for key in ("cycles", "instructions")),
              str(iteration))
        check("aux_digest" not in iteration["partitions"][0], str(report))
    least = min(iteration["synth_s"] for iteration in report["iterations"])
    check(report["synth_min_s"] == least <= report["synth_avg_s"] <= report["wall_avg_s"], str(report))


def digests(s):
    for name, partitions in (("porep-2KiB-v1_1", [0]), ("winning-2KiB", [0]), ("window-2KiB-3", [0, 1]), ("update-2KiB", [0])):
        report = s.report(name, "--digest")
        found = report["iterations"][0]["partitions"]
        check([p["partition"] for p in found] == partitions, str(report))
        for partition in found:
            check_partition(s, name, partition)
    for name, partition in (("porep-2KiB-ni", 12), ("window-2KiB-3", 1)):
        report = s.report(name, "--digest", "--partition", partition)
        check(report["partition"] == partition and len(report["iterations"][0]["partitions"]) == 1, str(report))
        check_partition(s, name, report["iterations"][0]["partitions"][0])
    text = s.synth("winning-2KiB", "--digest").stdout
    want = s.reference("winning-2KiB", 0)
    for key in VECTORS:
        check("partition 0 %s_digest %s\n" % (key, want[key + "_digest"]) in text, text)


def indexes(s):
    for name in ("porep-2KiB-v1_1", "winning-2KiB", "update-2KiB"):
        found = {}
        for index in INDEXES:
            presize = "on" if index == "smallvec2" else "off"
            report = s.report(name, "--digest", "--lc-index", index, "--presize", presize)
            check(report["lc_index"] == index and report["presize"] == (presize == "on"), str(report))
            p = found[index] = report["iterations"][0]["partitions"][0]
            check_partition(s, name, p)
            check((p["growths"] == 0) == (presize == "on"), str(p))
            check(abs(p["allocations"] / p["constraints"] - p["allocations_per_constraint"]) < 1e-5, str(p))
        for key in ("allocations", "list_bytes"):
            check(len({p[key] for p in found.values()}) == len(INDEXES), "%s: %s" % (name, found))
        check(len({p["terms"] for p in found.values()}) == 1, "%s: %s" % (name, found))
    text = s.synth("winning-2KiB", "--lc-index", "vec").stdout
    check("lc-index:   vec (presize off)\n" in text and "a constraint)" in text, text)


def usage(s):
    s.run("synth-only", code=2, text="--c1 required")
    s.run("synth-only", "--c1", "/nonexistent", code=2, text="/nonexistent")
    s.run("synth-only", "-t", "winning", code=2, text="--vanilla required")
    s.run("synth", code=2, text="unknown command")
    s.run("--help", text="synth-only")
    c1 = "porep-2KiB-v1_1"
    s.synth(c1, "--partition", 1, code=2, text="partition 1")
    s.synth(c1, "--miner-id", 1001, code=2, text="--miner-id")
    s.synth(c1, "--iterations", 0, code=2, text="--iterations")
    s.synth(c1, "--presize", "on", code=2, text="--lc-index")
    s.synth(c1, "--lc-index", "vec", "--presize", "maybe", code=2, text="on or off")
    s.synth(c1, "--lc-index", "smallvec3", code=2, text="smallvec3")
    s.synth(c1, "--lc-index", "vec", "--memory", 100, code=3, text="partition 0")
    s.synth("window-2KiB-3", "--partition", 2, code=2, text="partition 2")


def proofs(s):
    report = json.loads(s.run("prove-only", *s.request("window-2KiB-3"), "--json").stdout)
    check(report["circuit"] == "wpost-2k" and report["partitions"] == 2 and report["proof_checked"], str(report))
    phases = {phase["name"]: phase["cpu_s"] for phase in report["phases"]}
    for name in ("synthesis", "ntt", "l", "a", "b_g1", "b_g2", "h", "assemble", "made points", "log check"):
        check(phases[name] > 0, str(report))
    proving = sum(cpu for name, cpu in phases.items() if name not in ("made points", "log check"))
    check(abs(proving - report["core_seconds"]) < 0.01 and report["peak_rss_bytes"] > 0, str(report))
    report = json.loads(s.run("prove-only", *s.request("window-2KiB-3"), "--partition", 1, "--json").stdout)
    check(report["partitions"] == 1, str(report))
    text = s.run("prove-only", *s.request("winning-2KiB")).stdout
    check("winning-2k, 1 partition\n" in text and "equals what the known logarithms give" in text, text)
    s.run("prove-only", *s.request("window-2KiB-3"), "--partition", 2, code=2, text="partition 2")
    s.run("prove-only", *s.request("window-2KiB-3"), "--memory", 5, code=3)
    s.run("prove-only", code=2, text="--c1 required")


ACTIONS = {"proofs": proofs, "shape": shape, "digests": digests, "indexes": indexes, "usage": usage}


def main():
    action, bench, vectors = sys.argv[1:4]
    ACTIONS[action](Session(bench, vectors))


main()
