#!/bin/bash
# Builds everything with clang, under which layering_check bites: a target may include only headers of its direct dependencies.
# And checks the direction of the packages (docs/design.md, section 2), which no compiler knows.
set -uo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh --lint || exit 1
status=0

# forbid FROM TO: no target under FROM may depend on one under TO.
forbid() {
  local found
  if ! found="$(bazel query --noshow_progress --ui_event_filters=-info "somepath($1, $2)")"; then
    status=1
    return
  fi
  [ -z "$found" ] && return
  printf 'layering: %s must not depend on %s, but:\n%s\n' "$1" "$2" "$found" >&2
  status=1
}
exists() { [ -n "$(find "$1" -name BUILD.bazel -print -quit 2>/dev/null)" ]; }
rows=(
  "base ptx_frontend" "base scheduler" "base symexec" "base idioms" "base reference_models" "base checker"
  "ptx_frontend scheduler" "ptx_frontend symexec" "ptx_frontend idioms" "ptx_frontend reference_models" "ptx_frontend checker"
  "scheduler ptx_frontend" "scheduler symexec" "scheduler idioms" "scheduler reference_models" "scheduler checker"
  "symexec reference_models" "symexec checker"
  "idioms checker"
  "reference_models ptx_frontend/parse" "reference_models ptx_frontend/lex" "reference_models ptx_frontend/ir" "reference_models checker"
  # A replayed witness is evidence independent of the solver.
  "symexec/bits symexec/smt" "symexec/smt symexec/bits" "symexec/smt symexec/machine" "symexec/machine symexec/smt"
)
for row in "${rows[@]}"; do
  read -r from to <<<"$row"
  if exists "$from" && exists "$to"; then forbid "//$from/..." "//$to/..."; fi
done

# External headers have one home each (docs/design.md: only symexec/smt includes Z3's header).
if git grep -nE '#include [<"]z3' -- '*.cc' '*.h' ':!symexec/smt'; then
  echo 'layering: only symexec/smt may include the header of Z3' >&2
  status=1
fi

bazel build --config=clang --keep_going //... || status=1
[ "$status" -eq 0 ] && echo "layering: clean"
exit "$status"
