// FAULT: a load, an addition and a store, not an atomic addition.

extern "C" __global__ void backward_atomics_f32__not_atomic(const float* __restrict__ dy, const int* __restrict__ ids,
                                                            float* __restrict__ dtable,
                                                int T, int V, int H)
{
    int id = ids[blockIdx.x];
    for (int i = threadIdx.x; i < H; i += blockDim.x) dtable[id * H + i] += dy[blockIdx.x * H + i];
}
