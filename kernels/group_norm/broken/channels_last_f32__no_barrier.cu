// Fault: the sums of other channels are read without waiting for them.
extern "C" __global__ void channels_last_serial(const float* x, const float* w, const float* b, float* y, int N, int G, int D, int S, float eps)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= N * G) return;
    int channels = G * D;
    int first = at % G * D;
    x += at / G * S * channels + first;
    y += at / G * S * channels + first;
    float sum = 0.0f;
#pragma unroll 1
    for (int s = 0; s < S; ++s)
#pragma unroll 1
        for (int d = 0; d < D; ++d) sum += x[s * channels + d];
    float mean = sum / (D * S);
    float squares = 0.0f;
#pragma unroll 1
    for (int s = 0; s < S; ++s)
#pragma unroll 1
        for (int d = 0; d < D; ++d) squares += (x[s * channels + d] - mean) * (x[s * channels + d] - mean);
    float scale = rsqrtf(squares / (D * S) + eps);
#pragma unroll 1
    for (int s = 0; s < S; ++s)
#pragma unroll 1
        for (int d = 0; d < D; ++d) y[s * channels + d] = (x[s * channels + d] - mean) * scale * w[first + d] + b[first + d];
}

extern "C" __global__ void channels_last_block(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                               float* __restrict__ y, int N, int G, int D, int S, float eps)
{
    __shared__ float sums[64], squares[64];
    int c = threadIdx.x;
    int channels = G * D;
    x += blockIdx.x * S * channels;
    y += blockIdx.x * S * channels;
    bool live = c < channels;
    float sum = 0.0f;
    float square = 0.0f;
    if (live) {
#pragma unroll 1
        for (int s = 0; s < S; ++s) {
            float v = x[s * channels + c];
            sum += v;
            square += v * v;
        }
    }
    sums[c] = sum;
    squares[c] = square;
    if (!live) return;
    int first = c / D * D;
    sum = 0.0f;
    square = 0.0f;
#pragma unroll 1
    for (int d = 0; d < D; ++d) {
        sum += sums[first + d];
        square += squares[first + d];
    }
    float mean = sum / (D * S);
    float scale = rsqrtf(square / (D * S) - mean * mean + eps) * w[c];
#pragma unroll 1
    for (int s = 0; s < S; ++s) y[s * channels + c] = (x[s * channels + c] - mean) * scale + b[c];
}
