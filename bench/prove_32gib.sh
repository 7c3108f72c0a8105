#!/usr/bin/env bash
# Proves one partition of each kind at a sector size without parameter files, by keys with known logarithms that are made
# on the fly, and checks every proof by these logarithms. Inputs are fabricated first.
#
# usage: prove_32gib.sh [--size 32GiB] [--kinds porep,window,snap] [--sectors 2349] [--threads 2] [--memory GIB]
#                       [--work DIR] [--out DIR]
#   --sectors  of the WindowPoSt (a 32 GiB partition has 2349)
#   --memory   what a proof may take; it is refused if it needs more (default: what is free now, less 1 GiB)
#   --work     where the inputs go, up to 300 MB (default: a directory in /tmp that is removed)
#   --out      where the results go (default: bench/results)
# One line of JSON a kind, with machine, compiler and commit: core-seconds by phase without the time of making points and
# of checking, and the peak of RssAnon + RssShmem. Needs 16 GB of memory at 32 GiB (WindowPoSt; the others 12).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
. "$here/support/machine.sh"

size=32GiB kinds=porep,window,snap sectors=2349 threads=2 memory= work= out=$here/results
while [ $# -gt 0 ]; do
    case $1 in
        --size) size=$2 ;;
        --kinds) kinds=$2 ;;
        --sectors) sectors=$2 ;;
        --threads) threads=$2 ;;
        --memory) memory=$2 ;;
        --work) work=$2 ;;
        --out) out=$2 ;;
        *) usage "$0" ;;
    esac
    shift 2
done
bin=$(build_release "$root" cuzk_program cuzk-bench_program)
if [ -z "$work" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work" "$out"
if [ -z "$memory" ]; then
    memory=$(($(free_mib) / 1024 - 1))
fi
results=$out/prove-$size-$(date -u +%Y-%m-%d).jsonl
for kind in ${kinds//,/ }; do
    input=$work/$kind
    if [ ! -e "$input/manifest.json" ]; then
        options=()
        [ "$kind" = window ] && options=(--sectors "$sectors")
        "$bin/cuzk" fabricate "$kind" --sector-size "$size" -o "$input" "${options[@]}" >/dev/null
    fi
    mapfile -t request < <(request_options "$input")
    [ "$kind" = window ] || request+=(--partition 0)
    line=$("$bin/cuzk-bench" prove-only "${request[@]}" --threads "$threads" --memory "$((memory * 1024))" --json)
    with_machine "$line" "$root" "$threads" | tee -a "$results"
done
