#!/bin/sh
# Regenerates the PTX of the examples from their .cu files. Needs nvcc (13.0 made what is checked in) on PATH or in
# /usr/local/cuda/bin; nothing else needs it.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/local/cuda/bin
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
for source in */*.cu; do
    # A neutral working directory and name: nothing of this machine gets into the PTX.
    cp "$source" "$stage/kernel.cu"
    (cd "$stage" && nvcc -arch=sm_80 -ptx -o kernel.ptx kernel.cu)
    cp "$stage/kernel.ptx" "${source%.cu}.ptx"
done
