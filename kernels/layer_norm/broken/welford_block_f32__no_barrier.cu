// Fault: the parts are read without waiting for the other warp.
struct Moments {
    int count;
    float mean;
    float m2;
};

__device__ Moments merge(Moments a, Moments b)
{
    if (b.count == 0) return a;
    if (a.count == 0) return b;
    float n = a.count + b.count;
    float delta = b.mean - a.mean;
    Moments r;
    r.count = a.count + b.count;
    r.mean = (a.count * a.mean + b.count * b.mean) / n;
    r.m2 = a.m2 + b.m2 + delta * delta * (a.count * b.count / n);
    return r;
}

extern "C" __global__ void welford_block_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                             float* __restrict__ y, int N, int H, float eps)
{
    __shared__ Moments part[2];
    x += blockIdx.x * H;
    y += blockIdx.x * H;
    Moments m = {0, 0.0f, 0.0f};
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 64) {
        float delta = x[i] - m.mean;
        m.mean += delta / ++m.count;
        m.m2 += delta * (x[i] - m.mean);
    }
#pragma unroll 1
    for (int offset = 16; offset > 0; offset /= 2) {
        Moments other;
        other.count = __shfl_down_sync(0xffffffffu, m.count, offset);
        other.mean = __shfl_down_sync(0xffffffffu, m.mean, offset);
        other.m2 = __shfl_down_sync(0xffffffffu, m.m2, offset);
        if (threadIdx.x % 32 < offset) m = merge(m, other);
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = m;
    m = merge(part[0], part[1]);
    float scale = rsqrtf(m.m2 / H + eps);
#pragma unroll 1
    for (int i = threadIdx.x; i < H; i += 64) y[i] = (x[i] - m.mean) * scale * w[i] + b[i];
}
