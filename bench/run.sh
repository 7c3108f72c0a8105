#!/usr/bin/env bash
# Builds and runs all benchmarks; writes one JSON line per measurement, in the form that comparisons with other provers read:
# peer, version, op, size, threads, level, wall_s_min, cpu_s_min, repeats.
#
# usage: run.sh [--quick|--full] [--out FILE] [--only field,curve,hash,r1cs,post,ntt,msm,groth16] [--levels portable,adx,avx512ifma]
#   --quick  sums up to 2^16, proofs of 2^16 (default)
#   --full   sums up to 2^20, transforms up to 2^22, proofs up to 2^20
# A one-thread run is tied to one CPU. Times are minima over repeats; CPU time is of the whole process.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

mode=quick
out=cuzk.jsonl
only=field,curve,hash,r1cs,post,ntt,msm,groth16
levels=
while [ $# -gt 0 ]; do
    case $1 in
        --quick | --full) mode=${1#--} ;;
        --out) out=$2; shift ;;
        --only) only=$2; shift ;;
        --levels) levels=$2; shift ;;
        *) sed -n '2,8p' "$0" >&2; exit 2 ;;
    esac
    shift
done
if [ "$mode" = full ]; then
    sum_log=20 ntt_log=22 prove_log=20 seconds=3
else
    sum_log=16 ntt_log=16 prove_log=16 seconds=1
fi
out=$(realpath "$out")

cd "$root"
cmake --preset release >/dev/null
cmake --build --preset release --parallel "$(nproc)" >/dev/null
bin=$root/build/release/bin
version=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
last_cpu=$(($(nproc) - 1))
if [ -z "$levels" ]; then
    levels=portable
    for level in adx avx512ifma; do # the program ends at once where the machine lacks a level
        CUZK_CPU=$level "$bin/bench-field" --ops none 2>/dev/null && levels=$levels,$level
    done
fi

: > "$out"
wanted() { [[ ,$only, == *,$1,* ]]; }
# level threads program options...
run() {
    local level=$1 threads=$2
    shift 2
    local tie=()
    [ "$threads" = 1 ] && tie=(taskset -c "$last_cpu")
    CUZK_CPU=$level "${tie[@]}" "$bin/$1" --version "$version" --threads "$threads" --seconds "$seconds" "${@:2}" >> "$out"
}

for level in ${levels//,/ }; do
    if wanted field; then run "$level" 1 bench-field; fi
    if wanted curve; then run "$level" 1 bench-curve; fi
    if wanted hash; then run "$level" 1 bench-hash; fi
    if wanted r1cs; then run "$level" 1 bench-r1cs; fi
    if wanted post; then run "$level" 1 bench-post; fi
    if wanted ntt; then run "$level" 1 bench-ntt --max-log "$ntt_log"; fi
    if wanted msm; then run "$level" 1 bench-msm --max-log "$sum_log"; fi
    if wanted groth16; then run "$level" 1 bench-groth16 --max-log "$prove_log"; fi
done
top=${levels##*,}
if [ "$(nproc)" -gt 1 ]; then
    if wanted ntt; then run "$top" "$(nproc)" bench-ntt --max-log "$ntt_log"; fi
    if wanted msm; then run "$top" "$(nproc)" bench-msm --max-log "$sum_log"; fi
    if wanted groth16; then run "$top" "$(nproc)" bench-groth16 --max-log "$prove_log"; fi
fi
echo "$(wc -l < "$out") measurements in $out" >&2
