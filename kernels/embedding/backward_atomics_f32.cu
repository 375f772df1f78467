// f32, gradient of the table. Technique: a CTA a token adds by atomics; the gradient is zero before.

extern "C" __global__ void backward_atomics_f32(const float* __restrict__ dy, const int* __restrict__ ids,
                                                float* __restrict__ dtable,
                                                int T, int V, int H)
{
    int id = ids[blockIdx.x];
    for (int i = threadIdx.x; i < H; i += blockDim.x) atomicAdd(&dtable[id * H + i], dy[blockIdx.x * H + i]);
}
