#!/bin/sh
# Regenerates the PTX of this folder from its .cu files with nvcc 13.0 (on PATH or in /usr/local/cuda/bin). A twin in
# broken/ takes the flags of the kernel that it is a twin of; broken/*__library_*.ptx are edited by hand and left alone.
# `sh regenerate.sh FILE.cu...` regenerates only these.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/local/cuda/bin

# Kernels that are not compiled with the default flags (-O3).
flags_of() {
    case $1 in
        *) echo "-O3" ;;
    esac
}

# Further builds of one source: output stem, source stem, flags.
variants='
'

compile() {  # output stem, source stem, flags...
    out=$1 src=$2
    shift 2
    nvcc -ptx -arch=sm_90 "$@" -o "$out.ptx" "$src.cu"
    ptxas -arch=sm_90 -o /dev/null "$out.ptx"
}

if [ $# -eq 0 ]; then
    set -- *.cu broken/*.cu
fi
for source; do
    stem=${source%.cu}
    base=$(basename "$stem")
    # shellcheck disable=SC2046
    compile "$stem" "$stem" $(flags_of "${base%%__*}")
    echo "$variants" | while read -r out src flags; do
        # shellcheck disable=SC2086
        if [ "$src" = "$stem" ]; then compile "$out" "$src" $flags; fi
    done
done
