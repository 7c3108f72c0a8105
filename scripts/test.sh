#!/usr/bin/env bash
# Installs what is missing, builds, and runs all default tests. At most 25 minutes on 2 cores.
# usage: test.sh [ctest options]
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh --tests
jobs=$(nproc)
cmake --preset release >/dev/null
cmake --build --preset release --parallel "$jobs"

scripts/check_format.sh
scripts/check_includes.py
scripts/check_symbols.py build/release
ctest --preset release --parallel "$jobs" --label-exclude slow "$@"
