#!/usr/bin/env bash
# The main jobs: installs what is missing, builds, makes 2 KiB PoRep and 32 GiB WinningPoSt parameters on this machine,
# proves the bundled c1.json and verifies the proof, then proves the WinningPoSt of a 32 GiB sector and prints how long
# it took. Under 10 minutes on 2 cores the first time, under 1 minute afterwards.
#
# CUZK_DEMO_PARAMS names the folder the parameters are kept in (1.3 GB; default: build/demo-params).
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

# Parameters of a circuit, unless an earlier run left them.
setup() {
    local stem
    stem=$params/$("$cuzk" circuits | awk -v id="$1" '$1 == id { print $NF }')
    if [ -e "$stem.params" ] && [ -e "$stem.vk" ]; then
        echo "kept from an earlier run in $params"
    else
        time "$cuzk" setup "$1" --param-cache "$params"
    fi
}

say "1. parameters for the 2 KiB PoRep circuit (local: for tests only)"
setup porep-2k

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

say "6. WinningPoSt of a 32 GiB sector: parameters of the full-size circuit (local), and a test input made without sealing"
setup winning-32g
rm -rf build/demo/winning-32g
fabricated=$("$cuzk" fabricate winning --sector-size 32GiB -o build/demo/winning-32g)
echo "$fabricated"

say "7. prove it: 66 challenges, 370,590 constraints"
read -ra words <<<"$(tail -n 1 <<<"$fabricated")" # cuzk prove ... as fabricate prints it
start=$(date +%s%N)
"$cuzk" "${words[@]:1}" --param-cache "$params" --allow-local-params -o build/demo/winning.bin
echo "latency, start of the process to verified proof: $((($(date +%s%N) - start) / 1000000)) ms"

say "8. verify it"
"$cuzk" verify "${words[@]:2}" --param-cache "$params" --allow-local-params --proof build/demo/winning.bin
echo
echo "done: build/demo/proof.bin, build/demo/winning.bin"
