#!/usr/bin/env bash
# Installs what the build and the default tests need on Debian 12, if anything is missing.
# usage: install_packages.sh [--tests] [--extras]
#   --tests   also what the tests need
#   --extras  also clang with libFuzzer, gcovr, valgrind, and a browser for the daemon's page
set -euo pipefail

packages=(build-essential cmake ninja-build pkg-config python3 libyajl-dev libssl-dev
    libgrpc-dev libprotobuf-c-dev protobuf-c-compiler protobuf-compiler libtomlplusplus-dev libmicrohttpd-dev)
for option in "$@"; do
    case $option in
        --tests) packages+=(libcmocka-dev libgmp-dev clang-format git python3-grpcio python3-protobuf) ;;
        --extras) packages+=(clang libclang-rt-14-dev gcovr valgrind chromium) ;;
        *) sed -n '2,5p' "$0" >&2; exit 2 ;;
    esac
done

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
