#!/bin/bash
# Runs one fuzz target with libFuzzer and the address and undefined-behaviour sanitizers (clang; tools/setup.sh --lint).
#
# usage: tools/fuzz.sh //package:target [SECONDS] [libFuzzer options...]
# New inputs are kept in .bz/fuzz/TARGET; what crashes, in the working directory.
set -euo pipefail
cd "$(dirname "$0")/.."
target="${1:?usage: tools/fuzz.sh //package:target [SECONDS] [libFuzzer options...]}"
seconds="${2:-60}"
shift; [ $# -eq 0 ] || shift
tools/setup.sh --lint
bazel build --config=fuzz "$target"
path="${target#//}"
binary=".bz/bin/${path/:/\/}"
name="${target##*:}"
grown="$PWD/.bz/fuzz/$name"
mkdir -p "$grown"
# The corpus that the target names, copied to a folder as libFuzzer wants it.
while read -r file; do cp -n "$file" "$grown/$(basename "$file")"; done < <(bazel query "kind('source file', deps(labels(data, $target)))" 2>/dev/null | sed 's|^//||; s|:|/|')
exec "$binary" "$grown" "-max_total_time=$seconds" -print_final_stats=1 "$@"
