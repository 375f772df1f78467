#!/bin/sh
# Regenerates the PTX of this folder: NAME.cu at -O3 for each architecture. Needs nvcc (13.0, with its CCCL 3.0, made what is
# checked in) on PATH or in /usr/local/cuda/bin, and unshare (util-linux). `sh regenerate.sh FILE.cu...` regenerates only these.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/local/cuda/bin

flags_of() {
    case $1 in
        fast_math) echo "-O3 -use_fast_math" ;;
        *)         echo "-O3" ;;
    esac
}

# Names of static functions and of shared variables hold a hash of the working directory, so sources are compiled in a folder
# that has the same name everywhere, where /tmp is a private folder (a mount namespace of our own).
stage=/tmp/cuda_headers
if [ "${REGENERATE_STAGE:-}" != ready ]; then
    private=$(mktemp -d)
    trap 'rm -rf "$private"' EXIT
    REGENERATE_STAGE=ready unshare --map-root-user --mount \
        sh -c 'mount --bind "$0" /tmp && mkdir "$1" && shift && exec sh ./regenerate.sh "$@"' "$private" $stage "$@"
    exit
fi

[ $# -gt 0 ] || set -- *.cu
for source; do
    name=${source%.cu}
    for arch in sm_80 sm_90 sm_100a; do
        cp "$source" $stage/
        # shellcheck disable=SC2046
        (cd $stage && nvcc -ptx -arch=$arch $(flags_of "$name") -o out.ptx "$source")
        cp $stage/out.ptx "$name.$arch.ptx"
        ptxas -arch=$arch -o /dev/null "$name.$arch.ptx"
    done
done
