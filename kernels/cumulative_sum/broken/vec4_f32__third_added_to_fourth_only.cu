// FAULT: the third element lacks the second.

extern "C" __global__ void vec4_f32__third_added_to_fourth_only(const float4* __restrict__ x, float4* __restrict__ y,
                                                                int N, int H)
{
    int lane = threadIdx.x, row = blockIdx.x, vectors = H / 4;
    float carry = 0.0f;
#pragma unroll 1
    for (int base = 0; base < vectors; base += 32) {
        int i = base + lane;
        float4 v = i < vectors ? x[row * vectors + i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        v.y += v.x;
        v.z += v.x;
        v.w += v.z;
        float scan = v.w;
#pragma unroll
        for (int offset = 1; offset < 32; offset *= 2) {
            float other = __shfl_up_sync(0xffffffffu, scan, offset);
            if (lane >= offset) scan += other;
        }
        float before = carry + (scan - v.w);
        if (i < vectors) y[row * vectors + i] = make_float4(v.x + before, v.y + before, v.z + before, v.w + before);
        carry += __shfl_sync(0xffffffffu, scan, 31);
    }
}
