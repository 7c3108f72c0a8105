#!/usr/bin/env python3
"""Compares what libcuzk.so exports with what cuzk.h declares, checks the prefix of every global symbol inside, and that
faults and made-up proofs, which tests use, are in no program or library.

usage: check_symbols.py BUILD_DIR
"""
import pathlib
import re
import subprocess
import sys


PRODUCTS = ("libcuzk.so", "libcuzk_internal.a", "libcuzk_server.a", "bin/cuzk", "bin/cuzk-bench", "bin/cuzk-daemon")


def symbols(path, *options):
    """Names that are defined in it."""
    listing = subprocess.run(["nm", "--defined-only", *options, str(path)], check=True, text=True, stdout=subprocess.PIPE).stdout
    return {line.split()[-1] for line in listing.splitlines() if len(line.split()) == 3}


def for_tests(root):
    """Functions of tests/support and of the fake server, by the names they begin lines with."""
    text = "".join(path.read_text() for path in [*root.glob("tests/support/*.c"), *root.glob("tests/server/*.c")])
    return set(re.findall(r"^(?:static )?[a-z][\w ]*[ *](\w+)\([^;]*?\) {$", text, re.M | re.S)) - {"main"}


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
    injected = {name for name in for_tests(root) if re.match(r"(fault|fake)_", name)}
    for product in PRODUCTS:
        if (build / product).exists():
            faults += ["%s: for tests only: %s" % (product, name) for name in sorted(symbols(build / product) & injected)]
    if not injected & symbols(build / "bin/test_engine_service"):
        faults.append("the names of injected faults are not those that tests use")
    for fault in faults:
        print("error:", fault, file=sys.stderr)
    print("%d exported functions, %d internal symbols" % (len(exported), len(names)))
    return 1 if faults else 0


sys.exit(main())
