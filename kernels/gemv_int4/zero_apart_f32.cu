// The zero point apart: sum of scale * (q . x - 8 * sum of x) over groups, the sums of x made once a CTA in shared memory; four rows a CTA.
extern "C" __global__ void zero_apart_f32(const unsigned* __restrict__ p, const float* __restrict__ scales, const float* __restrict__ x, float* __restrict__ y, int N, int K)
{
    extern __shared__ float sums[];
    int groups = K / 16;
#pragma unroll 1
    for (int g = threadIdx.x; g < groups; g += blockDim.x) {
        float s = 0.0f;
#pragma unroll 4
        for (int j = 0; j < 16; ++j) s += x[g * 16 + j];
        sums[g] = s;
    }
    __syncthreads();
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int g = 0; g < groups; ++g) {
        float part = 0.0f;
#pragma unroll 1
        for (int w = 0; w < 2; ++w) {
            unsigned v = p[row * groups * 2 + g * 2 + w];
#pragma unroll 4
            for (int j = 0; j < 8; ++j) part = fmaf((float)(v >> j * 4 & 15), x[g * 16 + w * 8 + j], part);
        }
        sum = fmaf(scales[row * groups + g], part - 8.0f * sums[g], sum);
    }
    y[row] = sum;
}
