#!/bin/bash
# Installs what is missing, builds everything and runs every test. The last line is "N passed, N failed"; the exit status is
# not zero if anything failed or nothing ran.
#
# usage: tools/test.sh [bazel options or targets...]      (default: //...)
set -uo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh || { echo "0 passed, 1 failed"; exit 1; }

options=() targets=()
for argument in "$@"; do
  case "$argument" in
    -*) options+=("$argument") ;;
    *) targets+=("$argument") ;;
  esac
done
[ "${#targets[@]}" -gt 0 ] || targets=(//...)

events="$(mktemp)"
if [ "${CI:-}" = true ]; then
  options=(--config=ci "${options[@]}")
  # A server left behind would hold the CI job.
  trap 'rm -f "$events"; bazel shutdown >/dev/null 2>&1' EXIT
else
  options=(--keep_going "${options[@]}")
  trap 'rm -f "$events"' EXIT
fi
status=0
# Bazel's own words go to standard error, and that in turn before the summary.
bazel test "${options[@]}" --build_event_json_file="$events" -- "${targets[@]}" || status=$?
python3 tools/test_summary.py "$events" || { [ "$status" -ne 0 ] || status=1; }
exit "$status"
