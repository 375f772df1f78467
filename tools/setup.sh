#!/bin/bash
# Installs the Debian packages that are missing; says and does nothing when none is.
#
# usage: tools/setup.sh [--lint]
#   --lint   also what tools/lint.sh, tools/layering.sh and fuzzing need (clang)
set -euo pipefail
cd "$(dirname "$0")/.."

lists=(.ci/apt-packages)
for argument in "$@"; do
  case "$argument" in
    --lint) lists+=(.ci/apt-packages-lint) ;;
    *) echo "tools/setup.sh: unknown argument '$argument' (expected --lint)" >&2; exit 3 ;;
  esac
done
mapfile -t wanted < <(sort -u "${lists[@]}")

if ! command -v dpkg-query >/dev/null; then
  printf 'tools/setup.sh: this is no Debian system. Install the equivalents of:\n  %s\n' "${wanted[*]}" >&2
  exit 1
fi
# A package that dpkg has never heard of is no error here: it is missing like any other.
present="$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)"
missing=()
for package in "${wanted[@]}"; do
  grep -qxF "installed $package" <<<"$present" || missing+=("$package")
done
[ "${#missing[@]}" -eq 0 ] && exit 0

as_root=()
if [ "$EUID" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    printf 'tools/setup.sh: run this once as root:\n  apt-get install %s\n' "${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}" >&2
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 || { cat "$log" >&2; return 1; }; }
apt update
apt install -y --no-install-recommends "${missing[@]}"
