// Fault: eps is added to the deviation.
template <bool clamped>
__device__ void block_moments_of(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                 float* __restrict__ y, int H, float eps)
{
    __shared__ float2 part[64];
    int tid = threadIdx.x;
    x += blockIdx.x * H;
    y += blockIdx.x * H;
    float2 s = make_float2(0.0f, 0.0f);
#pragma unroll 1
    for (int i = tid; i < H; i += 64) {
        s.x += x[i];
        s.y += x[i] * x[i];
    }
    part[tid] = s;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (tid < half) {
            part[tid].x += part[tid + half].x;
            part[tid].y += part[tid + half].y;
        }
        __syncthreads();
    }
    float mean = part[0].x / H;
    float variance = part[0].y / H - mean * mean;
    if (clamped) variance = fmaxf(variance, 0.0f);
    float scale = 1.0f / (sqrtf(variance) + eps);
#pragma unroll 1
    for (int i = tid; i < H; i += 64) y[i] = (x[i] - mean) * scale * w[i] + b[i];
}

#define KERNEL(name, clamped)                                                                      \
    extern "C" __global__ void name(const float* x, const float* w, const float* b, float* y, int N, int H, float eps) { block_moments_of<clamped>(x, w, b, y, H, eps); }

KERNEL(block_moments, false)
