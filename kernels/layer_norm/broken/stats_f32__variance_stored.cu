// Fault: the variance is stored for 1 / deviation.
extern "C" __global__ void stats_serial(const float* x, const float* w, const float* b, float* y, float* mean_out, float* rstd_out, int N, int H, float eps)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    y += row * H;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += x[i];
    float mean = sum / H;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) squares += (x[i] - mean) * (x[i] - mean);
    float rstd = rsqrtf(squares / H + eps);
    mean_out[row] = mean;
    rstd_out[row] = rstd;
#pragma unroll 1
    for (int i = 0; i < H; ++i) y[i] = (x[i] - mean) * rstd * w[i] + b[i];
}

extern "C" __global__ void stats_warp(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b, float* __restrict__ y,
                                      float* __restrict__ mean_out, float* __restrict__ rstd_out, int N, int H, float eps)
{
    int lane = threadIdx.x;
    int row = blockIdx.x;
    x += row * H;
    y += row * H;
    float first = x[0];
    float sum = 0.0f;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = lane; i < H; i += 32) {
        float d = x[i] - first;
        sum += d;
        squares += d * d;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
        squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    }
    float inverse = 1.0f / H;
    float shifted = sum * inverse;
    float mean = first + shifted;
    float rstd = rsqrtf(squares * inverse - shifted * shifted + eps);
    if (lane == 0) {
        mean_out[row] = mean;
        rstd_out[row] = squares * inverse - shifted * shifted;
    }
#pragma unroll 1
    for (int i = lane; i < H; i += 32) y[i] = (x[i] - mean) * rstd * w[i] + b[i];
}
