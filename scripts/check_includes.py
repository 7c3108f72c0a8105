#!/usr/bin/env python3
"""Prints which folder of src/ includes which, beside what it may include, and fails on any include upwards.

usage: check_includes.py [ROOT]
"""
import pathlib
import re
import sys

# folder: the folders it is built on; each may also be reached through another (docs/architecture.md)
BUILT_ON = {
    "base": [],
    "codec": ["base"],
    "field": ["base"],
    "curve": ["field"],
    "ntt": ["field"],
    "msm": ["curve"],
    "hash": ["field"],
    "r1cs": ["hash"],
    "gadgets": ["r1cs"],
    "filecoin": ["codec", "hash"],
    "circuits": ["filecoin", "gadgets"],
    "groth16": ["r1cs", "ntt", "msm"],
    "srs": ["groth16", "codec"],
    "gpu": ["groth16"],
    "engine": ["circuits", "srs", "gpu"],
    "server": ["engine"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def reachable(folder):
    seen = set()
    todo = list(BUILT_ON[folder])
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += BUILT_ON[name]
    return seen


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    faults = []
    names = {}
    for folder in sorted(path.name for path in (root / "src").iterdir() if path.is_dir()):
        if folder not in BUILT_ON:
            faults.append("src/%s is not in the table" % folder)
            continue
        allowed = reachable(folder)
        used = set()
        for path in sorted((root / "src" / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".S", ".cc"):
                continue
            if path.name in names:
                faults.append("%s and %s share a name" % (path.relative_to(root), names[path.name]))
            names[path.name] = path.relative_to(root)
            for include in INCLUDE.findall(path.read_text()):
                target = include.split("/")[0]
                if "/" not in include or target not in BUILT_ON or target == folder:
                    if include.startswith("../"):
                        faults.append("%s includes %s" % (path.relative_to(root), include))
                    continue
                used.add(target)
                if target not in allowed:
                    faults.append("%s includes %s, but %s is not built on %s"
                                  % (path.relative_to(root), include, folder, target))
                elif include.endswith("_internal.h"):
                    faults.append("%s includes the internal header %s" % (path.relative_to(root), include))
        print("%-9s includes %-50s may include %s"
              % (folder, " ".join(sorted(used)) or "-", " ".join(sorted(allowed)) or "-"))
    for path in sorted((root / "programs").rglob("*.[ch]")):
        for include in INCLUDE.findall(path.read_text()):
            if "/" in include and include.split("/")[0] in BUILT_ON and not include.startswith("server/"):
                faults.append("%s includes %s" % (path.relative_to(root), include))
    for fault in faults:
        print("error:", fault, file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
