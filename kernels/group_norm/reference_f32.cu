// Plain reference, float, channels first: x is [N, G * D, S], a group is D channels of S positions; one thread a group, two
// passes; weight and bias are per channel.
extern "C" __global__ void reference_f32(const float* x, const float* w, const float* b, float* y, int N, int G, int D, int S, float eps)
{
    int group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group >= N * G) return;
    int size = D * S;
    x += group * size;
    y += group * size;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < size; ++i) sum += x[i];
    float mean = sum / size;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = 0; i < size; ++i) squares += (x[i] - mean) * (x[i] - mean);
    float scale = rsqrtf(squares / size + eps);
#pragma unroll 1
    for (int d = 0; d < D; ++d) {
        int channel = group % G * D + d;
#pragma unroll 1
        for (int s = 0; s < S; ++s) y[d * S + s] = (x[d * S + s] - mean) * scale * w[channel] + b[channel];
    }
}
