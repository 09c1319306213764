#!/usr/bin/env bash
# run.sh CMAKE BUILD_DIR COMPILER
#
# Installs into a fresh prefix, moves it, and builds and runs a program of another project against
# it: once through the CMake package, once through pkg-config.
set -euo pipefail

cmake=$1 build=$2 compiler=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset DESTDIR LD_LIBRARY_PATH

"$cmake" --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
prefix=$scratch/moved

find "$prefix" -name '*oracle*' | grep . && { echo "a test program was installed"; exit 1; }
if grep -rIlF -e "$build" -e "$scratch/first" "$prefix"; then
  echo "an installed text file holds a path of the build"
  exit 1
fi

"$cmake" -S "$here" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
"$cmake" --build "$scratch/build" >/dev/null
mkdir "$scratch/shop"
"$scratch/build/consumer" "$scratch/shop"
ldd "$scratch/build/consumer" | grep -F "$prefix/lib/dpsql/libduckdb.so" >/dev/null ||
  { echo "the installed libduckdb.so is not the one in use"; exit 1; }

"$cmake" -S "$here/../../examples/ask" -B "$scratch/ask" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
"$cmake" --build "$scratch/ask" >/dev/null
answer=$("$scratch/ask/ask" "$scratch/shop/shop.duckdb" "$scratch/shop/shop.toml" \
  "SELECT segment, count(*) AS customers FROM customer GROUP BY segment")
echo "$answer"
[[ $(grep -cE '^segment [a-z]+  customers [0-9]+ \([0-9]+ to [0-9]+\)' <<<"$answer") == 3 ]]
grep -qE '^left: epsilon 3\.[0-9]+$' <<<"$answer"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
# shellcheck disable=SC2046
"$compiler" -std=c++20 "$here/consumer.cc" -o "$scratch/plain" \
  $(pkg-config --cflags --libs dpsql) -Wl,-rpath,"$(pkg-config --variable=libdir dpsql)"
"$scratch/plain" >/dev/null

[[ ! -e $prefix/bin/dpsql ]] || "$prefix/bin/dpsql" --help >/dev/null
for file in man/man1/dpsql.1 bash-completion/completions/dpsql zsh/site-functions/_dpsql \
            fish/vendor_completions.d/dpsql.fish; do
  [[ -s $prefix/share/$file ]] || { echo "share/$file is not installed"; exit 1; }
done
