// float, one CTA of 128 threads a row. Technique: the tree's last six steps are unrolled in the first warp, with __syncwarp
// between loads and stores.
extern "C" __global__ void last_warp_f32(const float* __restrict__ x, float* __restrict__ y, int N, int H)
{
    __shared__ float part[128];
    int tid = threadIdx.x;
    float v = 0.0f;
#pragma unroll 1
    for (int i = tid; i < H; i += 128) v += x[blockIdx.x * H + i];
    part[tid] = v;
    __syncthreads();
    if (tid < 64) part[tid] += part[tid + 64];
    __syncthreads();
    if (tid < 32) {
        v = part[tid] + part[tid + 32];
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) {
            part[tid] = v;
            __syncwarp();
            v += part[tid + offset];
            __syncwarp();
        }
        if (tid == 0) y[blockIdx.x] = v;
    }
}
