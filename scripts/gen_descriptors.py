#!/usr/bin/env python3
"""Makes C tables of a set of protocol descriptors, for the reflection service: each file's bytes, each symbol's file.

usage: gen_descriptors.py DESCRIPTOR_SET OUTPUT.c
The set is what `protoc --include_imports --descriptor_set_out` writes.
"""
import pathlib
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def texts(data, *wanted):
    """(number, bytes) of the length-delimited fields of a message that are wanted."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            _, at = varint(data, at)
        elif wire == 2:
            length, at = varint(data, at)
            if number in wanted:
                yield number, data[at:at + length]
            at += length
        else:
            at += {1: 8, 5: 4}[wire]


def name_of(data):
    return next(texts(data, 1))[1].decode()


# Field numbers of descriptor.proto: message 4, enum 5 and service 6 of a file; field 2, nested message 3 and enum 4 of a
# message; value 2 of an enum; method 2 of a service.
def message_symbols(prefix, data):
    full = prefix + name_of(data)
    yield full
    for number, inner in texts(data, 2, 3, 4):
        if number == 2:
            yield full + "." + name_of(inner)
        elif number == 3:
            yield from message_symbols(full + ".", inner)
        else:
            yield from enum_symbols(full + ".", inner)


def enum_symbols(prefix, data):
    yield prefix + name_of(data)
    for _, value in texts(data, 2):
        yield prefix + name_of(value)


def service_symbols(prefix, data):
    full = prefix + name_of(data)
    yield full
    for _, method in texts(data, 2):
        yield full + "." + name_of(method)


def main():
    files = [data for _, data in texts(pathlib.Path(sys.argv[1]).read_bytes(), 1)]
    symbols, services = [], []
    for index, data in enumerate(files):
        package = "".join(text.decode() + "." for _, text in texts(data, 2))
        for number, inner in texts(data, 4, 5, 6):
            make = {4: message_symbols, 5: enum_symbols, 6: service_symbols}[number]
            symbols += [(symbol, index) for symbol in make(package, inner)]
            if number == 6:
                services.append(package + name_of(inner))
    out = ["/* Made by gen_descriptors.py. */", '#include "server/descriptors.h"', ""]
    for index, data in enumerate(files):
        out.append("static const uint8_t file_%d[] = {" % index)
        out += ["    " + " ".join("%d," % byte for byte in data[at:at + 24]) for at in range(0, len(data), 24)]
        out.append("};")
    out.append("const descriptor_file cuzk_descriptor_files[] = {")
    out += ['    {"%s", file_%d, sizeof file_%d},' % (name_of(data), index, index) for index, data in enumerate(files)]
    out += ["};", "const size_t cuzk_descriptor_n_files = %d;" % len(files)]
    out.append("const descriptor_symbol cuzk_descriptor_symbols[] = {")
    out += ['    {"%s", %d},' % symbol for symbol in sorted(symbols)]
    out += ["};", "const size_t cuzk_descriptor_n_symbols = %d;" % len(symbols)]
    out.append("const char *const cuzk_descriptor_services[] = {")
    out += ['    "%s",' % service for service in sorted(services)]
    out += ["};", "const size_t cuzk_descriptor_n_services = %d;" % len(services), ""]
    pathlib.Path(sys.argv[2]).write_text("\n".join(out))


main()
