#!/bin/bash
# tools/racer with a bazel that only notes its calls: when it builds, and what reaches the binary.
set -u
root="$TEST_TMPDIR/check out"
mkdir -p "$root/tools" "$root/base" "$root/symexec/term" "$root/checker" "$TEST_TMPDIR/bin" "$root/elsewhere"
cp tools/racer "$root/tools/racer"
touch "$root/base/check.h" "$root/base/check.cc" "$root/symexec/term/kinds.def" "$root/checker/BUILD.bazel" "$root/WORKSPACE"
cat >"$TEST_TMPDIR/bin/bazel" <<'FAKE'
#!/bin/bash
echo "to standard output: $*"
echo "$*" >>"$TEST_TMPDIR/calls"
[ ! -e "$TEST_TMPDIR/broken" ] || exit 1
# A build takes longer than a tick of the file clock.
sleep 0.02
[ ! -e "$TEST_TMPDIR/save" ] || touch "$PWD/base/check.h"
mkdir -p .bz/bin/checker
[ -x .bz/bin/checker/racer ] && [ ! -e "$TEST_TMPDIR/changed" ] && exit 0
printf '#!/bin/bash\necho "$PWD: $*"\nexit 2\n' >.bz/bin/checker/racer
chmod +x .bz/bin/checker/racer
FAKE
chmod +x "$TEST_TMPDIR/bin/bazel"
export PATH="$TEST_TMPDIR/bin:$PATH"

failed=0
# expect WHAT CALLS_SO_FAR EXIT_STATUS: one start from another folder.
expect() {
  local output status calls
  output="$(cd "$root/elsewhere" && ../tools/racer check "a b.ptx" 2>"$TEST_TMPDIR/stderr")"
  status=$?
  calls=0
  [ ! -e "$TEST_TMPDIR/calls" ] || calls="$(wc -l <"$TEST_TMPDIR/calls")"
  local wanted="$root/elsewhere: check a b.ptx"
  [ "$3" -eq 2 ] || wanted=""
  if [ "$output" != "$wanted" ] || [ "$status" -ne "$3" ] || [ "$calls" -ne "$2" ]; then
    printf '%s: expected %s builds and status %s; %s builds, status %s, output "%s"\n' "$1" "$2" "$3" "$calls" "$status" "$output"
    cat "$TEST_TMPDIR/stderr"
    failed=1
  fi
}
pause() { sleep 0.02; }  # mtimes must differ

pause
expect "the first start builds" 1 2
expect "the second does not" 1 2
expect "nor the third" 1 2
pause; touch "$root/base/check.cc"
expect "a newer source builds" 2 2
expect "once, though the binary came out the same" 2 2
pause; touch "$root/symexec/term/kinds.def"
expect "a newer .def builds" 3 2
pause; rm "$root/base/check.cc"
expect "a source that is gone builds" 4 2
pause; touch "$root/base/notes.md"; pause; touch "$root/checker/BUILD.bazel"
expect "a newer BUILD file builds" 5 2
pause; touch "$root/elsewhere/x.cc"
expect "a file outside the packages does not" 5 2
pause; touch "$root/base/check.h" "$TEST_TMPDIR/save"
expect "a source saved while building ..." 6 2
rm "$TEST_TMPDIR/save"
expect "... builds again" 7 2
expect "and that is all" 7 2
pause; printf '\n' >>"$root/.bz/bin/checker/racer"
expect "a binary from another build does not pass for ours" 8 2
pause; touch "$root/base/check.h" "$TEST_TMPDIR/broken"
expect "a failed build starts nothing" 9 4
expect "and is tried again" 10 4
rm "$TEST_TMPDIR/broken"
expect "until it works" 11 2
expect "then no more" 11 2
exit "$failed"
