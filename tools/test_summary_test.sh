#!/bin/bash
# test_summary.py on hand-written event logs: what it counts, and that nothing bad passes.
set -u
work="$TEST_TMPDIR"
# case_of NAME EXPECTED_LAST_LINE EXPECTED_STATUS < events
case_of() {
  local got status
  got="$(python3 tools/test_summary.py /dev/stdin 2>&1)"
  status=$?
  if [ "${got##*$'\n'}" != "$2" ] || [ "$status" -ne "$3" ]; then
    printf '%s: expected "%s" and exit status %s, got exit status %s and\n%s\n' "$1" "$2" "$3" "$status" "$got"
    touch "$work/failed"  # a pipeline runs this in a subshell
  fi
}
result() {  # LABEL STATUS [XML]
  printf '{"id": {"testResult": {"label": "%s", "run": 1, "shard": 1}}, "testResult": {"status": "%s", "testActionOutput": [' "$1" "$2"
  [ $# -lt 3 ] || printf '{"name": "test.log", "uri": "file:///nowhere"}, {"name": "test.xml", "uri": "file://%s"}' "$3"
  printf ']}}\n'
}
finished() { printf '{"id": {"finished": {}}, "finished": {"exitCode": {"code": %s}}}\n' "$1"; }

cat >"$work/two.xml" <<'XML'
<testsuites><testsuite><testcase name="a" status="run"/><testcase name="b" status="run"/></testsuite></testsuites>
XML
cat >"$work/mixed.xml" <<'XML'
<testsuites><testsuite><testcase name="a" status="run"/><testcase name="b"><failure message="no"/></testcase>
<testcase name="c" status="run" result="skipped"><skipped/></testcase><testcase name="d" status="notrun"/></testsuite></testsuites>
XML

{ result //a:t PASSED "$work/two.xml"; finished 0; } | case_of "cases are counted" "2 passed, 0 failed" 0
{ result //a:t PASSED; finished 0; } | case_of "a target without cases counts once" "1 passed, 0 failed" 0
{ result //a:t PASSED "$work/two.xml"; result //b:t FAILED "$work/mixed.xml"; finished 3; } |
  case_of "failed and skipped cases" "3 passed, 1 failed, 2 skipped" 1
{ result //a:t FAILED "$work/two.xml"; finished 3; } | case_of "a crash after passing cases fails" "2 passed, 1 failed" 1
{ result //a:t TIMEOUT; finished 3; } | case_of "a time-out fails" "0 passed, 1 failed" 1
{ result //a:t PASSED; printf '{"id": {"targetCompleted": {"label": "//b:t"}}, "completed": {}}\n'; finished 1; } |
  case_of "a target that does not build fails" "1 passed, 1 failed" 1
{ result //a:t FAILED; printf '{"id": {"targetCompleted": {"label": "//a:t"}}, "completed": {}}\n'; finished 3; } |
  case_of "a failed test is counted once" "0 passed, 1 failed" 1
{ result //a:t PASSED; finished 1; } | case_of "a package that does not load fails" "1 passed, 1 failed" 1
{ result //a:t PASSED; } | case_of "a log cut short fails" "1 passed, 1 failed" 1
finished 0 | case_of "nothing ran" "0 passed, 0 failed" 1
{ result //a:t FAILED; result //a:t PASSED; finished 0; } | case_of "the last attempt counts" "1 passed, 0 failed" 0
[ ! -e "$work/failed" ]
