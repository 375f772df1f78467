#!/bin/bash
# Formatting and static checks of the C++ sources.
#
# usage: tools/lint.sh [--fix] [FILES...]      (default: every tracked .cc and .h)
#   --fix   write the formatting; clang-tidy is then left out
set -uo pipefail
cd "$(dirname "$0")/.."
fix=false
[ "${1:-}" = --fix ] && { fix=true; shift; }
tools/setup.sh --lint || exit 1
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files '*.cc' '*.h'); fi
if $fix; then exec clang-format-19 -i "${files[@]}"; fi

status=0
clang-format-19 --dry-run -Werror "${files[@]}" || status=1
# clang-tidy reads each file as the build compiles it; a header is seen through the sources that include it.
tools/compdb.py --config=clang >/dev/null || exit 1
mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep '\.cc$')
[ "${#sources[@]}" -eq 0 ] || printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet --warnings-as-errors='*' 2>/dev/null || status=1
[ "$status" -eq 0 ] && echo "lint: clean"
exit "$status"
