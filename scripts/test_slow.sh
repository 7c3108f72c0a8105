#!/usr/bin/env bash
# The tests that take long or much memory: full-size circuits, digests of 32 and 64 GiB. About an hour on 2 cores, 4 GB.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh --tests
cmake --preset release >/dev/null
cmake --build --preset release --parallel "$(nproc)"
ctest --preset release --label-regex slow "$@"
