// Fault: the mean moves by half of the distance, whatever the counts.
extern "C" __global__ void welford_block_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                             float* __restrict__ y, int N, int G, int D, int S, float eps)
{
    __shared__ float counts[64], means[64], m2s[64];
    int tid = threadIdx.x;
    int size = D * S;
    x += blockIdx.x * size;
    y += blockIdx.x * size;
    int channel0 = blockIdx.x % G * D;
    float count = 0.0f;
    float mean = 0.0f;
    float m2 = 0.0f;
#pragma unroll 1
    for (int i = tid; i < size; i += 64) {
        count += 1.0f;
        float delta = x[i] - mean;
        mean += delta / count;
        m2 += delta * (x[i] - mean);
    }
    counts[tid] = count;
    means[tid] = mean;
    m2s[tid] = m2;
#pragma unroll 1
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half && counts[tid + half] > 0.0f) {
            float na = counts[tid];
            float nb = counts[tid + half];
            float delta = means[tid + half] - means[tid];
            counts[tid] = na + nb;
            means[tid] += delta * 0.5f;
            m2s[tid] += m2s[tid + half] + delta * delta * na * nb / (na + nb);
        }
    }
    __syncthreads();
    mean = means[0];
    float rstd = rsqrtf(m2s[0] / size + eps);
#pragma unroll 1
    for (int i = tid; i < size; i += 64) {
        int channel = channel0 + i / S;
        float scale = rstd * w[channel];
        y[i] = fmaf(x[i], scale, b[channel] - mean * scale);
    }
}
