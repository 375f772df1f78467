// Fault: weight and bias of the group's number, not of the channel.
extern "C" __global__ void warp_f32(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                                    float* __restrict__ y, int N, int G, int D, int S, float eps)
{
    int lane = threadIdx.x % 32;
    int group = blockIdx.x * 2 + threadIdx.x / 32;
    if (group >= N * G) return;
    int size = D * S;
    x += group * size;
    y += group * size;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = lane; i < size; i += 32) sum += x[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    float mean = sum / size;
    float squares = 0.0f;
#pragma unroll 1
    for (int i = lane; i < size; i += 32) squares += (x[i] - mean) * (x[i] - mean);
    for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    float scale = rsqrtf(squares / size + eps);
#pragma unroll 1
    for (int i = lane; i < size; i += 32) y[i] = (x[i] - mean) * scale * w[group % G] + b[group % G];
}
