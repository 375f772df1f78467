#!/bin/sh
# Regenerates the PTX of this folder from its .cu files (nvcc 13.0 on PATH or in /usr/local/cuda/bin).
# A twin in broken/ takes the flags of the kernel that it is a twin of. `sh regenerate.sh FILE.cu...` makes only these.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/local/cuda/bin

flags_of() {
    case $1 in
        *fast_math*) echo "-O3 -use_fast_math" ;;
        *)           echo "-O3" ;;
    esac
}

[ $# -gt 0 ] || set -- *.cu broken/*.cu
for source; do
    stem=${source%.cu}
    base=$(basename "$stem")
    # shellcheck disable=SC2046
    nvcc -ptx -arch=sm_90 $(flags_of "${base%%__*}") -o "$stem.ptx" "$source"
    ptxas -arch=sm_90 -o /dev/null "$stem.ptx"
done
