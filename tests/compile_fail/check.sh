#!/usr/bin/env bash
# check.sh compiles|refused FILE COMPILER FLAG…
#
# Compiles FILE as it is and expects success, or with MUST_NOT_COMPILE defined and expects the error
# that the file names in a line `// EXPECT-ERROR: text`. So the test cannot rot: a file that fails
# for another reason than its own is found by one of the two.
set -uo pipefail

expectation=$1 file=$2
shift 2
compile() { LC_ALL=C "$@" -fsyntax-only -fdiagnostics-plain-output "$file" 2>&1; }

if [[ $expectation == compiles ]]; then
  compile "$@"
  exit
fi

expected=$(sed -n 's|^// EXPECT-ERROR: ||p' "$file")
[[ -n $expected ]] || { echo "$file: lacks a line '// EXPECT-ERROR: text'"; exit 1; }
if output=$(compile "$@" -DMUST_NOT_COMPILE); then
  echo "$file: compiled with MUST_NOT_COMPILE"
  exit 1
fi
grep -qF -- "$expected" <<<"$output" && exit
echo "$file: failed without saying '$expected'"
echo "$output"
exit 1
