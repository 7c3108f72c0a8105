#!/usr/bin/env bash
# Short test sets under AddressSanitizer with UBSan, under ThreadSanitizer, and built without assembly.
# Tests labelled heavy (real setups and proofs) stay out of the first two: they are in the default run.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh --tests
jobs=$(nproc)
for preset in asan tsan portable; do
    case $preset in
        asan) select=(--label-exclude 'slow|heavy') ;;
        tsan) select=(--label-regex tsan --label-exclude 'slow|heavy') ;;
        portable) select=(--label-exclude 'slow|heavy') ;;
    esac
    echo "== $preset"
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" --parallel "$jobs"
    ctest --preset "$preset" --parallel "$jobs" "${select[@]}"
done
