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
  output="$("$racer" check "$1.ptx" --ref "$2.ptx" "${@:3}" --quiet 2>&1)" || seen=$?
  if [ "$seen" -ne "$status" ] || [ "$output" != "$headline" ]; then
    printf '%s: expected "%s" and status %s, saw "%s" and status %s\n' "$1" "$headline" "$status" "$output" "$seen"
    failed=1
  fi
}

expect 0 EQUIVALENT examples/saxpy/candidate examples/saxpy/reference
expect 1 DIFFERENT examples/saxpy/broken examples/saxpy/reference
# The fault is in what is left after the vectors of four.
expect 0 EQUIVALENT examples/saxpy/broken examples/saxpy/reference --dims n=128

expect 0 EQUIVALENT examples/row_sum/candidate examples/row_sum/reference
expect 1 DIFFERENT examples/row_sum/broken examples/row_sum/reference

expect 0 EQUIVALENT examples/transpose/candidate examples/transpose/reference
expect 1 "VIOLATION race" examples/transpose/broken examples/transpose/reference
# The thread that loaded the only element stores it.
expect 0 EQUIVALENT examples/transpose/broken examples/transpose/reference --dims rows=1,cols=1

# The same without the contract: racer infers it. No launch avoids the race. Broken once: with the race of every launch taken
# for one of a launch that is not meant, undecided.
bare="$(mktemp -d)"
cp examples/transpose/*.ptx "$bare"
expect 0 EQUIVALENT "$bare/candidate" "$bare/reference"
expect 1 "VIOLATION race" "$bare/broken" "$bare/reference"
rm -r "$bare"
exit "$failed"
