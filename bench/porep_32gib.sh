#!/usr/bin/env bash
# The whole way of a PoRep from files: fabricates a c1.json, makes local parameters, proves one partition and verifies the
# proof.
#
# usage: porep_32gib.sh [--size 32GiB] [--params DIR] [--work DIR] [--threads 2] [--out DIR]
#   --params  where the parameters are or go: 47.4 GB at 32 GiB; made unless they are there (default: build/bench-params)
#   --work    where input and proof go (default: build/bench-porep-SIZE)
#   --out     where the result goes (default: bench/results)
# Needs 60 GB of free disk at 32 GiB while the parameters are made, and 12 GB of memory; says so and stops without the disk.
# One line of JSON, with machine, compiler and commit: times and peak memory of each step, and the phases of the proof.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
. "$here/support/machine.sh"

size=32GiB params=$root/build/bench-params work= threads=2 out=$here/results
while [ $# -gt 0 ]; do
    case $1 in
        --size) size=$2 ;;
        --params) params=$2 ;;
        --work) work=$2 ;;
        --threads) threads=$2 ;;
        --out) out=$2 ;;
        *) usage "$0" ;;
    esac
    shift 2
done
work=${work:-$root/build/bench-porep-$size}
bin=$(build_release "$root" cuzk_program)
mkdir -p "$params" "$work" "$out"

circuit=porep-$(sed 's/iB$//' <<<"$size" | tr '[:upper:]' '[:lower:]')
read -r stem params_bytes < <("$bin/cuzk" circuits --json | python3 -c '
import json, sys
for c in json.load(sys.stdin):
    if c["id"] == sys.argv[1]:
        print(c["file"], c["params_bytes"])' "$circuit")
export RESULT=$work/result
setup='{"skipped":true}'
if [ ! -e "$params/$stem.params" ] || [ ! -e "$params/$stem.vk" ] || [ ! -e "$params/$stem.local.json" ]; then
    # 60 GB for 47.4: what others write meanwhile, an input
    need_gib=$((params_bytes * 127 / 100 / 1073741824 + 1))
    free_gib=$(free_disk_gib "$params")
    if [ "$free_gib" -lt "$need_gib" ]; then
        echo "$0: $circuit needs $need_gib GiB of free disk in $params; there are $free_gib GiB" >&2
        exit 3
    fi
    setup=$(measured "$bin/cuzk" setup "$circuit" --param-cache "$params" --threads "$threads")
fi
fabricate='{"skipped":true}'
if [ ! -e "$work/input/manifest.json" ]; then
    fabricate=$(measured "$bin/cuzk" fabricate porep --sector-size "$size" -o "$work/input")
fi
mapfile -t request < <(request_options "$work/input")
keys=(--param-cache "$params" --allow-local-params --threads "$threads")
prove=$(measured "$bin/cuzk" prove "${request[@]}" "${keys[@]}" --only 0 -o "$work/proof" --json)
result=$(cat "$RESULT")
verify=$(measured "$bin/cuzk" verify "${request[@]}" "${keys[@]}" --only 0 --proof "$work/proof" --json)
verdict=$(cat "$RESULT")
line="{\"size\":\"$size\",\"fabricate\":$fabricate,\"setup\":$setup,\"prove\":$prove,\"result\":$result"
line+=",\"verify\":$verify,\"verdict\":$verdict}"
with_machine "$line" "$root" "$threads" | tee -a "$out/porep-$size-$(date -u +%Y-%m-%d).jsonl"
