#!/usr/bin/env python3
"""Compares what libcuzk.so exports with what cuzk.h declares, and checks the prefix of every global symbol inside.

usage: check_symbols.py BUILD_DIR
"""
import pathlib
import re
import subprocess
import sys


def main():
    build = pathlib.Path(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent.parent
    header = (root / "include" / "cuzk.h").read_text()
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    declared = set(re.findall(r"CUZK_API[^;{]*?\b(cuzk_\w+)\s*\(", header))
    shared = subprocess.run(["nm", "-D", "--defined-only", str(build / "libcuzk.so")], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    exported = {line.split()[-1] for line in shared.splitlines()}
    faults = ["declared in cuzk.h but not exported: " + name for name in sorted(declared - exported)]
    faults += ["exported but not declared in cuzk.h: " + name for name in sorted(exported - declared)]
    archive = subprocess.run(["nm", "--defined-only", "--extern-only", str(build / "libcuzk_internal.a")], check=True,
                             text=True, stdout=subprocess.PIPE).stdout
    names = {line.split()[-1] for line in archive.splitlines() if len(line.split()) == 3}
    faults += ["without the cuzk_ prefix: " + name for name in sorted(names)
               if not name.startswith(("cuzk_", "__odr_asan", "__gcov", "_GLOBAL__"))]
    for fault in faults:
        print("error:", fault, file=sys.stderr)
    print("%d exported functions, %d internal symbols" % (len(exported), len(names)))
    return 1 if faults else 0


sys.exit(main())
