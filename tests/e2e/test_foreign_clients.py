#!/usr/bin/python3
"""Clients in other languages against a server with made-up proofs, over a unix socket and TCP. Skipped (77) where their
compilers or libraries cannot be had.

usage: test_foreign_clients.py go|js FAKE_SERVER PROTO_DIRECTORY BUILD_DIRECTORY
"""
import os
import pathlib
import shutil
import subprocess
import sys

from server_client import Server, run

SOURCES = pathlib.Path(__file__).resolve().parent
PROTOS = SOURCES.parent.parent / "proto"


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def prepare(name, program, *command):
    """A copy of the client's sources, with its libraries fetched and built."""
    tool = shutil.which(program) or shutil.which(program, path="/usr/local/go/bin")
    if tool is None:
        skip("there is no " + program)
    directory = pathlib.Path(sys.argv[4]) / (name + "_client")
    shutil.copytree(SOURCES / (name + "_client"), directory, dirs_exist_ok=True)
    try:
        made = subprocess.run([tool, *command], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=240)
    except subprocess.TimeoutExpired:
        skip("%s took too long" % program)
    if made.returncode != 0:
        skip("%s: %s" % (program, made.stdout.strip()[-500:]))
    return directory


def drive(server_program, command):
    for listen in (None, "127.0.0.1:0"):
        with Server(server_program, listen=listen) as server:
            address = server.address if listen is None else "dns:///" + server.address
            subprocess.run([*command(address, server.path("gate"))], check=True, timeout=240)


def go(program, api):
    directory = prepare("go", "go", "build", "-o", "client", ".")
    drive(program, lambda address, gate: [directory / "client", address, gate])


def js(program, api):
    directory = prepare("js", "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
    drive(program, lambda address, gate: ["node", directory / "client.js", address, gate, PROTOS])


run({"go": go, "js": js})
