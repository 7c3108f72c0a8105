#!/usr/bin/env bash
# Runs every libFuzzer target, under AddressSanitizer and UBSan, each for the same time. New inputs stay in build/fuzz-corpus.
# usage: fuzz.sh [SECONDS [TARGET...]]      default: 600 seconds each, all targets, two at a time
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
if [ $# -gt 0 ]; then
    shift
fi

scripts/install_packages.sh --tests --extras
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --parallel "$(nproc)"
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for file in tests/fuzz/fuzz_*.c; do
        name=$(basename "$file" .c)
        targets+=("${name#fuzz_}")
    done
fi

mkdir -p build/fuzz-corpus build/fuzz-logs
run() {
    local name=$1
    mkdir -p "build/fuzz-corpus/$name"
    if build/fuzz/bin/fuzz-"$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="build/fuzz-logs/$name-" "build/fuzz-corpus/$name" "tests/fuzz/corpus/$name" \
        >"build/fuzz-logs/$name.log" 2>&1; then
        printf '%-14s %s runs, no finding\n' "$name" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz-logs/$name.log")"
    else
        printf '%-14s FINDING: see build/fuzz-logs/%s.log\n' "$name" "$name"
        return 1
    fi
}
export -f run
export seconds
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'run {}'
