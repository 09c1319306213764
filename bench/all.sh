#!/usr/bin/env bash
# Runs the parts of `make bench`: all, or those that are named, so that a run that was cut off can go on. One that
# fails does not end the others: the pages are written in any case, what failed is named at the end, and the script
# fails then. `== speed-scale=0.1` begins a part of that name; speed-scale and speed name all that begin so.
# Usage: bench/all.sh BUILD [PART…]
set -uo pipefail

build=$(cd "$1" && pwd) && cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
readonly build
readonly results=docs/results
readonly wanted=("${@:2}")
failed=()
declare -A met=()
trap 'exit 130' INT

is_wanted() { # name
  local name found=${#wanted[@]}
  for name in "${wanted[@]}"; do
    [[ $1 == "$name" || $1 == "$name"[-=]* ]] && met[$name]=1 found=0
  done
  [[ $found == 0 ]]
}

part() { # name command…
  is_wanted "$1" || return 0
  always "$@"
}

always() { # name command…
  echo "== $1"
  "${@:2}" || failed+=("$1")
}

packages() {
  tools/bootstrap/bootstrap.sh --oracles --engines --spark >/dev/null
}

with_oracles() { # file argument…
  local python
  python=$(tests/oracles/python.sh) && "$python" -B "$@"
}

start() {
  local python
  python=$(tests/oracles/python.sh) && python3 -B bench/start/start.py . "$build" "$python" $results/start.json
}

engines() { # part
  local python
  python=$(tests/engines/spark_python.sh) && "$python" -B bench/engines/record.py "$build" $results/engines.json "$1"
}

always "packages of other people's programs" packages
for program in $(find "$build/bench" -maxdepth 1 -type f -executable | sort); do
  part "program-$(basename "$program")" "$program"
done
part program-pld_speed.py with_oracles bench/oracles/pld_speed.py "$build/tests/pld_epsilons"
part start start
for name in paper basic frequency unknown scale=0.1 scale=10 groups units tpch tpch=0.1 tpch=10 peers; do
  part "speed-$name" python3 -B bench/speed/record.py "$build" $results/speed.json $name
done
for name in paper session unknown round frequency skew=100 peers; do
  part "accuracy-$name" python3 -B bench/accuracy/record.py "$build" $results/accuracy.json $name
done
for name in scale=0.1 scale=1 growth=1000000 growth=10000000 growth=100000000 skew=10000000 \
  bytes-postgresql=10000000 bytes-spark=10000000; do
  part "engines-$name" engines $name
done
part figure2 python3 -B tests/docs/check_figure2.py . "$build/bench/figure2" --update
always pages make --no-print-directory bench-pages

for name in "${wanted[@]}"; do
  [[ -v met[$name] ]] || failed+=("no part is named $name")
done
[[ ${#failed[@]} == 0 ]] && exit
printf 'FAILED: %s\n' "${failed[@]}" >&2
exit 1
