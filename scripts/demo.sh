#!/usr/bin/env bash
# The main jobs: installs what is missing, builds, makes 2 KiB and 32 GiB WinningPoSt parameters on this machine, proves
# the bundled c1.json and verifies the proof, then proves the WinningPoSt of a 32 GiB sector and prints how long it took;
# then has the daemon prove the bundled inputs of all four kinds. Under 15 minutes on 2 cores the first time, under
# 2 minutes afterwards.
#
# CUZK_DEMO_PARAMS names the folder the parameters are kept in (2 GB; default: build/demo-params).
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh
cmake --preset release -DCUZK_TESTS=OFF -B build/demo >/dev/null
cmake --build build/demo --parallel "$(nproc)" --target cuzk_program cuzk-daemon_program cuzk-bench_program

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

say "9. the daemon: parameters for the 2 KiB circuits of the other kinds (local)"
for circuit in winning-2k wpost-2k snap-2k; do
    setup $circuit
done

say "10. start it on a unix socket"
folder=$(mktemp -d)
daemon=
# The daemon goes in any case, and what it left with it.
finish() {
    [ -z "$daemon" ] || kill "$daemon" || echo "the daemon had ended already" >&2
    rm -rf "$folder"
}
trap finish EXIT
cat >"$folder/cuzk.toml" <<END
[daemon]
listen = "unix://$folder/cuzk.sock"

[srs]
param_cache = "$(realpath "$params")"
allow_local = true
keep_hot = []
END
build/demo/bin/cuzk-daemon -c "$folder/cuzk.toml" 2>"$folder/log" &
daemon=$!
bench() { build/demo/bin/cuzk-bench -a "unix://$folder/cuzk.sock" "$@"; }
until bench status >/dev/null 2>&1; do
    kill -0 "$daemon" || { cat "$folder/log" >&2; exit 1; }
    sleep 0.2
done
echo "ready"

# A value of a bundled request.
value() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1/manifest.json" "$2"; }
# The bundled request by the daemon; the client verifies the proof.
prove() {
    local kind=$1 inputs=tests/vectors/inputs/$2 options=() key
    for key in "${@:3}"; do
        options+=("--${key//_/-}" "$(value "$inputs" "$key")")
    done
    options+=("$([ "$kind" = porep ] && echo --c1 || echo --vanilla)" "$inputs")
    bench single -t "$kind" "${options[@]}" --verify --param-cache "$params" --allow-local-params
}

say "11. four kinds of proof by the daemon, each verified here, too"
prove porep porep-2KiB-v1_1 registered_proof miner_id
prove snap update-2KiB registered_proof comm_r_old comm_r_new comm_d_new
prove wpost window-2KiB-2 registered_proof miner_id randomness
prove winning winning-2KiB registered_proof miner_id randomness

say "12. what it says of itself"
bench status
bench metrics | grep -v '^#'

say "13. stop it"
kill "$daemon"
wait "$daemon"
daemon=
if [ -e "$folder/cuzk.sock" ]; then
    echo "the socket was left behind" >&2
    exit 1
fi
echo "ended, socket removed"
echo
echo "done: build/demo/proof.bin, build/demo/winning.bin"
