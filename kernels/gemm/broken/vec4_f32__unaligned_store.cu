// FAULT: the float4 of C starts one element late: misaligned, and past the end in the last row.
// Four cells of a row a thread: float4 loads of B and a float4 store of C (N % 4 == 0); A by scalar loads.
extern "C" __global__ void vec4_f32__unaligned_store(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int M, int N, int K)
{
    int quad = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || quad >= N / 4) return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
    for (int k = 0; k < K; ++k) {
        float p = a[row * K + k];
        float4 q = reinterpret_cast<const float4*>(b + k * N)[quad];
        sum.x += p * q.x;
        sum.y += p * q.y;
        sum.z += p * q.z;
        sum.w += p * q.w;
    }
    reinterpret_cast<float4*>(c + row * N + 1)[quad] = sum;
}
