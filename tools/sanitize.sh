#!/bin/bash
# Runs the tests under the sanitizers.
#
# usage: tools/sanitize.sh [asan|ubsan|tsan]... [//targets...]      (default: asan ubsan, //...)
set -uo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh || exit 1
configs=() targets=()
for argument in "$@"; do
  case "$argument" in
    asan|ubsan|tsan) configs+=("$argument") ;;
    //*) targets+=("$argument") ;;
    *) echo "tools/sanitize.sh: '$argument' is neither asan, ubsan, tsan nor a target" >&2; exit 3 ;;
  esac
done
[ "${#configs[@]}" -gt 0 ] || configs=(asan ubsan)
[ "${#targets[@]}" -gt 0 ] || targets=(//...)
status=0
for config in "${configs[@]}"; do
  echo "== $config"
  bazel test "--config=$config" --keep_going -- "${targets[@]}" || status=1
done
exit "$status"
