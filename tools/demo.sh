#!/bin/bash
# From a fresh clone to a proof and a refutation: installs what is missing, builds, and checks a kernel of kernels/ and its
# broken twin against the same reference.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh

kernels=kernels/weighted_rmsnorm
session() {
  local expected="$1" status=0
  shift
  printf '\n$ tools/racer %s\n' "$*"
  tools/racer "$@" || status=$?
  if [ "$status" -ne "$expected" ]; then
    echo "tools/demo.sh: exit status $status, expected $expected" >&2
    exit 1
  fi
}
# Build first, so that progress and sessions do not mix.
tools/racer --version
session 0 check $kernels/half2_tail_f16.ptx --ref $kernels/reference_f16.ptx --contract $kernels/half2_tail_f16.toml --dims N=3,H=127
twin=$kernels/broken/half2_tail_f16__tail_weight_index
session 1 check $twin.ptx --ref $kernels/reference_f16.ptx --contract $twin.toml --dims N=3,H=127
