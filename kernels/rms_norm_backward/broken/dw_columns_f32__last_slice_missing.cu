// Fault: every fourth row is missing.
extern "C" __global__ void dw_columns_f32(const float* __restrict__ x, const float* __restrict__ dy, float* __restrict__ dw, int N, int H, float eps)
{
    __shared__ float r[64];
    __shared__ float part[4][16];
    int tid = threadIdx.x;
    if (tid < N) {
        float squares = 0.0f;
#pragma unroll 1
        for (int i = 0; i < H; ++i) squares += x[tid * H + i] * x[tid * H + i];
        r[tid] = rsqrtf(squares / H + eps);
    }
    __syncthreads();
    int slice = tid / 16;
    int column = blockIdx.x * 16 + tid % 16;
    float sum = 0.0f;
    if (column < H) {
#pragma unroll 1
        for (int n = slice; n < N; n += 4) sum += dy[n * H + column] * x[n * H + column] * r[n];
    }
    part[slice][tid % 16] = sum;
    __syncthreads();
    if (slice == 0 && column < H) dw[column] = part[0][tid] + part[1][tid] + part[2][tid];
}
