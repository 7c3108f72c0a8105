#!/usr/bin/env bash
# The main job on bundled real data: installs what is missing, builds, makes 2 KiB PoRep parameters on this machine, proves
# the bundled c1.json, and verifies the proof. Under 10 minutes on 2 cores the first time, under 1 minute afterwards.
#
# CUZK_DEMO_PARAMS names the folder the parameters are kept in (1.1 GB; default: build/demo-params).
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh
cmake --preset release -DCUZK_TESTS=OFF -B build/demo >/dev/null
cmake --build build/demo --parallel "$(nproc)" --target cuzk_program

cuzk=build/demo/bin/cuzk
params=${CUZK_DEMO_PARAMS:-build/demo-params}
input=tests/vectors/inputs/porep-2KiB-v1_1/c1.json
mkdir -p "$params"

say() { printf '\n== %s\n' "$*"; }

say "1. parameters for the 2 KiB PoRep circuit (local: for tests only)"
if ls "$params"/v28-stacked-proof-of-replication-*.params >/dev/null 2>&1; then
    echo "kept from an earlier run in $params"
else
    time "$cuzk" setup porep-2k --param-cache "$params"
fi

say "2. what the request holds"
"$cuzk" inspect "$input"

say "3. prove it"
"$cuzk" prove -t porep --c1 "$input" --miner-id 1000 --param-cache "$params" --allow-local-params -o build/demo/proof.bin

say "4. verify the proof from the public values alone"
"$cuzk" verify -t porep --c1 "$input" --miner-id 1000 --param-cache "$params" --allow-local-params \
    --proof build/demo/proof.bin

say "5. the same proof for another sector is refused"
if "$cuzk" verify -t porep --c1 "$input" --miner-id 1000 --sector-num 2 --param-cache "$params" \
    --allow-local-params --proof build/demo/proof.bin; then
    echo "a proof of sector 1 was accepted for sector 2" >&2
    exit 1
fi
echo
echo "done: build/demo/proof.bin"
