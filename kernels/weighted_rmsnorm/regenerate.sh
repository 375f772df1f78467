#!/bin/sh
# Regenerates the PTX of this folder from its .cu files. Needs nvcc (13.0 made what is checked in) on PATH or in
# /usr/local/cuda/bin, and unshare (util-linux). The handwritten_*.ptx are sources and are left alone. A twin in broken/ takes the flags of the
# kernel that it is a twin of. `sh regenerate.sh FILE.cu...` regenerates only these.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:/usr/local/cuda/bin

# Kernels that are not compiled with the default flags (-O3).
flags_of() {
    case $1 in
        fast_math_f32)         echo "-use_fast_math" ;;
        block_two_level_f32)   echo "-lineinfo" ;;
        grid_stride_bf16)      echo "-lineinfo" ;;
        inplace_f32)           echo "-lineinfo" ;;
        residual_f32)          echo "-lineinfo" ;;
        *)                     echo "-O3" ;;
    esac
}

# Further builds of one source: output stem, source stem, flags.
variants='
reference_f32.O0        reference_f32        -Xcicc -O0
reference_f32.G         reference_f32        -G
reference_f32.lineinfo  reference_f32        -lineinfo
block_two_level_f32.O0  block_two_level_f32  -Xcicc -O0
block_two_level_f32.G   block_two_level_f32  -G
vec4h_tail_f16.O0       vec4h_tail_f16       -Xcicc -O0
'

# How ../frontend_food/ is compiled: suffix, architecture, flags.
food='
O0        sm_90    -Xcicc -O0
O1        sm_90    -Xcicc -O1
O2        sm_90    -Xcicc -O2
O3        sm_90    -O3
G         sm_90    -G
lineinfo  sm_90    -lineinfo
fastmath  sm_90    -use_fast_math
sm_80     sm_80    -O3
sm_100a   sm_100a  -O3
'

# Debug information records the working directory, and names of static functions a hash of it, so sources are compiled in
# a folder that has the same name everywhere: this one, where /tmp is a private folder (a mount namespace of our own).
stage=/tmp/weighted_rmsnorm
if [ "${REGENERATE_STAGE:-}" != ready ]; then
    private=$(mktemp -d)
    trap 'rm -rf "$private"' EXIT
    REGENERATE_STAGE=ready unshare --map-root-user --mount \
        sh -c 'mount --bind "$0" /tmp && mkdir "$1" && shift && exec sh ./regenerate.sh "$@"' "$private" $stage "$@"
    exit
fi
# The toolkit's own headers are named from the toolkit's root.

compile() {  # output stem, source stem, architecture, flags...
    out=$1 src=$2 arch=$3
    shift 3
    cp "$src.cu" $stage/
    (cd $stage && nvcc -ptx -arch=$arch "$@" -o out.ptx "$(basename "$src").cu")
    sed -e "s#\"$stage/#\"#" -e 's#"/[^"]*/include/#"cuda/include/#' $stage/out.ptx >"$out.ptx"
    ptxas -arch=$arch -o /dev/null "$out.ptx"
}

[ $# -gt 0 ] || set -- *.cu broken/*.cu ../frontend_food/*.cu
for source; do
    stem=${source%.cu}
    base=$(basename "$stem")
    # shellcheck disable=SC2046,SC2086
    case $source in
        ../frontend_food/*)
            echo "$food" | while read -r suffix arch flags; do
                [ -z "$suffix" ] || compile "$stem.$suffix" "$stem" $arch $flags
            done ;;
        *)
            compile "$stem" "$stem" sm_90 $(flags_of "${base%%__*}")
            echo "$variants" | while read -r out src flags; do
                [ "$src" != "$stem" ] || compile "$out" "$src" sm_90 $flags
            done ;;
    esac
done
