#!/bin/sh
# Compiles sample.cu to the PTX files that the round-trip test reads. Needs nvcc 13; paths of the machine are taken out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# A directory of fixed name: -G writes it into the debug data.
mkdir -p /tmp/sample
cp "$here/sample.cu" /tmp/sample
cd /tmp/sample
make() {
  name=$1
  shift
  nvcc -ptx sample.cu -o "$here/sample.$name.ptx" "$@"
  sed -i -e 's|"[^"]*/\([^/"]*\)"|"\1"|' "$here/sample.$name.ptx"
}
make O0 -arch=sm_90 -Xcicc -O0 -Xptxas -O0
make O3 -arch=sm_90
make fastmath -arch=sm_80 -use_fast_math
make lineinfo -arch=sm_90 -lineinfo
make sm_100a -arch=sm_100a
make G -arch=sm_90 -G
