#!/bin/sh
# Makes the PTX of this folder again from its .cu files (nvcc 13.0 made what is checked in). A twin in broken/ takes the flags
# of the kernel that it is a twin of. `sh regenerate.sh FILE.cu...` makes only these.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/local/cuda/bin

flags_of() {
    case $1 in
        *) echo "-O3" ;;
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
