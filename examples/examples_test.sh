#!/bin/bash
# Every example gives the verdict that its README promises. Also runs from a checkout: bash examples/examples_test.sh
set -u
racer=checker/racer
[ -x "$racer" ] || racer=tools/racer
failed=0
# expect STATUS HEADLINE CANDIDATE REFERENCE [OPTIONS...]
expect() {
  local status="$1" headline="$2" output seen=0
  shift 2
  output="$("$racer" check "examples/$1.ptx" --ref "examples/$2.ptx" "${@:3}" --quiet 2>&1)" || seen=$?
  if [ "$seen" -ne "$status" ] || [ "$output" != "$headline" ]; then
    printf '%s: expected "%s" and status %s, saw "%s" and status %s\n' "$1" "$headline" "$status" "$output" "$seen"
    failed=1
  fi
}

expect 0 EQUIVALENT saxpy/candidate saxpy/reference
expect 1 DIFFERENT saxpy/broken saxpy/reference
# The fault is in what is left after the vectors of four.
expect 0 EQUIVALENT saxpy/broken saxpy/reference --dims n=128

expect 0 EQUIVALENT row_sum/candidate row_sum/reference
expect 1 DIFFERENT row_sum/broken row_sum/reference

expect 0 EQUIVALENT transpose/candidate transpose/reference
expect 1 "VIOLATION race" transpose/broken transpose/reference
# The thread that loaded the only element stores it.
expect 0 EQUIVALENT transpose/broken transpose/reference --dims rows=1,cols=1
exit "$failed"
