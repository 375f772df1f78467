#!/bin/bash
# Scripts that need more than a bare machine say so: --help works everywhere, and a missing numpy is named, not a traceback.
set -u
failed=0
fail() {
  echo "FAILED: $1"
  failed=1
}

# A numpy that cannot be imported, wherever a real one is.
mkdir -p "$TEST_TMPDIR/none"
echo 'raise ImportError("none here")' >"$TEST_TMPDIR/none/numpy.py"
export PYTHONPATH="$TEST_TMPDIR/none"

for script in tools/measures.py tools/operators.py tools/deciding.py kernels/weighted_rmsnorm/gpu_check.py tests/random_programs/gpu_run.py; do
  out="$(timeout 20 python3 "$script" --help 2>&1)" || fail "$script --help: exit $?"
  [[ "$out" == *"${script##*/}"* ]] || fail "$script --help says: $out"
done
for script in kernels/weighted_rmsnorm/gpu_check.py tests/random_programs/gpu_run.py; do
  out="$(timeout 20 python3 "$script" a b 2>&1)" && fail "$script without numpy: exit 0"
  [[ "$out" == "${script##*/}: needs numpy"* && "$out" != *Traceback* ]] || fail "$script without numpy says: $out"
done
timeout 20 python3 tools/measures.py --fast >/dev/null 2>&1
[ $? -eq 2 ] || fail "measures.py takes an unknown option"
exit $failed
