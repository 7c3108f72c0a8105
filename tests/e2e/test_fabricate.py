#!/usr/bin/env python3
"""cuzk fabricate: the files it makes, that they are the same again, and what it refuses.

usage: test_fabricate.py CUZK
"""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

SIZES = {"2KiB": 2 << 10, "8MiB": 8 << 20, "512MiB": 512 << 20, "32GiB": 32 << 30, "64GiB": 64 << 30}
KINDS = {"porep": "porep", "winning": "winning", "wpost": "window", "snap": "update"}
DIGESTS = {
    "porep": ["ticket", "seed", "comm_d", "comm_r", "replica_id"],
    "winning": ["randomness"],
    "window": ["randomness"],
    "update": ["comm_r_old", "comm_r_new", "comm_d_new"],
}


def check(condition, text):
    if not condition:
        sys.exit(text)


def run(*arguments, code=0):
    done = subprocess.run([sys.argv[1], *map(str, arguments)], text=True, capture_output=True)
    check(done.returncode == code, "cuzk %s: exit code %d, expected %d\n%s%s"
          % (" ".join(map(str, arguments)), done.returncode, code, done.stdout, done.stderr))
    return done


def content(folder):
    return {f.name: f.read_bytes() for f in folder.iterdir()}


def judge(folder, kind, size, n_payload):
    """Manifest and payload agree, and cuzk inspect finds them sound."""
    m = json.loads((folder / "manifest.json").read_text())
    check(m["kind"] == KINDS[kind] and m["sector_size"] == SIZES[size], str(m)[:500])
    check(len(m["files"]) == n_payload, str(m["files"])[:500])
    for key in DIGESTS[m["kind"]]:
        check(len(bytes.fromhex(m[key])) == 32, key)
    payload = [(folder / name).read_bytes() for name in m["files"]]
    if kind == "porep":
        wrapper = json.loads(payload[0])
        check(wrapper["SectorNum"] == m["sector_number"] and wrapper["SectorSize"] == SIZES[size], "wrapper")
        inner = json.loads(base64.b64decode(wrapper["Phase1Out"], validate=True))
        for key in DIGESTS["porep"]:
            check(bytes(inner[key]).hex() == m[key], key)
        check(set(content(folder)) == {"manifest.json", "c1.json"}, "files")
    else:
        listed = json.loads((folder / "vanilla.json").read_text())
        check([base64.b64decode(text, validate=True) for text in listed] == payload, "vanilla.json is not the files")
        check(set(content(folder)) == {"manifest.json", "vanilla.json", *m["files"]}, "files")
    if kind in ("winning", "wpost"):
        check([s["sector_number"] for s in m["sectors"]] == list(range(1, n_payload + 1)), "sectors")
        check([bytes.fromhex(s["comm_r"]) for s in m["sectors"]] == [p[8:40] for p in payload], "comm_r")
    for name in m["files"][:2]:
        text = run("inspect", folder / name).stdout
        check(size in text or kind == "porep" and "StackedDrg" + size in text, text)


def main():
    with tempfile.TemporaryDirectory() as root:
        root = pathlib.Path(root)
        for kind in KINDS:
            for size in SIZES:
                if kind == "porep" and size == "64GiB":
                    continue  # as 32GiB, by another test
                n_sectors = 3 if kind == "wpost" else 1
                folder = root / (kind + size)
                more = ["--sectors", n_sectors] if kind == "wpost" else []
                done = run("fabricate", kind, "--sector-size", size, "-o", folder, *more)
                check("cuzk prove -t " + kind in done.stdout, done.stdout)
                partitions = json.loads((folder / "manifest.json").read_text())["partitions"]
                judge(folder, kind, size, partitions if kind == "snap" else n_sectors)
            # the same again, at any number of threads; another seed gives another
            again, other = root / (kind + "-again"), root / (kind + "-other")
            run("fabricate", kind, "--sector-size", 2048, "-o", again, *more, "--threads", 3)
            report = json.loads(run("fabricate", kind, "--sector-size", "2k", "-o", other, *more, "--seed", 1,
                                    "--json").stdout)
            check(report["partitions"] == (2 if kind == "wpost" else 1) and report["cpu_s"] < 10, str(report))
            check(content(again) == content(root / (kind + "2KiB")), kind + ": not the same again")
            check(content(other) != content(again), kind + ": the seed changes nothing")
            # never overwrites
            before = content(again)
            done = run("fabricate", kind, "--sector-size", 2048, "-o", again, code=3)
            check("manifest.json: exists already" in done.stderr, done.stderr)
            check(content(again) == before, "overwritten")
        # other proof types by number, other miners and sectors
        run("fabricate", "window", "--sector-size", "2KiB", "-o", root / "other-name")
        for number in (0, 10, 15):
            folder = root / ("type-%d" % number)
            run("fabricate", "porep", "--registered-proof", number, "-o", folder, "--miner-id", 7, "--sector-num", 9)
            m = json.loads((folder / "manifest.json").read_text())
            check((m["registered_proof"], m["miner_id"], m["sector_number"]) == (number, 7, 9), str(m))
        run("fabricate", "winning", "--sector-size", "2KiB", "-o", root / "last", "--sector-num", 2**64 - 1)
        for arguments, text in (
                (["porep", "-o", root / "x"], "--sector-size SIZE is required"),
                (["porep", "--sector-size", "2KiB"], "-o DIR is required"),
                (["porep", "--sector-size", "4KiB", "-o", root / "x"], "2KiB, 8MiB, 512MiB, 32GiB or 64GiB"),
                (["porep", "--sector-size", "32TiB", "-o", root / "x"], "not a size"),
                (["porep", "--registered-proof", 20, "-o", root / "x"], "no registered proof 20"),
                (["porep", "--registered-proof", 5, "--sector-size", "8MiB", "-o", root / "x"], "2KiB"),
                (["winning", "--registered-proof", 5, "-o", root / "x"], "no registered proof 5 of this kind"),
                (["wpost", "--registered-proof", 0, "-o", root / "x"], "no registered proof 0 of this kind"),
                (["snap", "--sector-size", "2KiB", "--sectors", 2, "-o", root / "x"], "only WindowPoSt"),
                (["wpost", "--sector-size", "2KiB", "--sectors", 0, "-o", root / "x"], "number of sectors: 0"),
                (["wpost", "--sector-size", "2KiB", "--sectors", 1 << 40, "-o", root / "x"], "number of sectors"),
                (["sector", "--sector-size", "2KiB", "-o", root / "x"], "unknown proof type")):
            done = run("fabricate", *arguments, code=2)
            check(text in done.stderr, "no '%s' in: %s" % (text, done.stderr))
        check(not (root / "x").exists(), "a folder for a refused input")
        run("fabricate", "porep", "--registered-proof", 18, "-o", root / "x", code=3)  # too large to be sealed
        run("fabricate", "porep", "--sector-size", "2KiB", "-o", root / "no" / "such", code=3)
        run("fabricate", "snap", "--sector-size", "32GiB", "--memory", 0, "-o", root / "y", code=3)


main()
