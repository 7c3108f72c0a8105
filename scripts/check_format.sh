#!/usr/bin/env bash
# Fails on any C file that is not as clang-format 14 writes it; scripts/check_format.sh --fix rewrites them.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --fix ]; then
    git ls-files '*.c' '*.h' | xargs clang-format -i
else
    git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror --ferror-limit=3
    echo "format: good"
fi
