#!/bin/sh
# Prints how many of the instructions that real PTX uses racer reads and executes.
set -eu
cd "$(dirname "$0")/.."
bazel build //ptx_frontend/parse:census >&2
git ls-files '*.ptx' | xargs .bz/bin/ptx_frontend/parse/census ptx_frontend/isa/testdata/census.txt
