#!/usr/bin/env python3
"""Makes a C table of the files of the daemon's page, as src/server/dashboard_files.h declares it.

usage: gen_dashboard.py OUTPUT.c FILE...
"""
import pathlib
import sys

TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


def main():
    out = ["/* Made by gen_dashboard.py. */", '#include "server/dashboard_files.h"', ""]
    rows = []
    for index, path in enumerate(map(pathlib.Path, sys.argv[2:])):
        data = path.read_bytes()
        out.append("static const uint8_t file_%d[] = {" % index)
        out += ["    " + " ".join("%d," % byte for byte in data[at:at + 24]) for at in range(0, len(data), 24)]
        out.append("};")
        url = "/" if path.name == "index.html" else "/" + path.name
        rows.append('    {"%s", "%s", file_%d, sizeof file_%d},' % (url, TYPES[path.suffix], index, index))
    out += ["const dashboard_file cuzk_dashboard_files[] = {"] + rows + ["};"]
    out += ["const size_t cuzk_dashboard_n_files = %d;" % len(rows), ""]
    pathlib.Path(sys.argv[1]).write_text("\n".join(out))


main()
