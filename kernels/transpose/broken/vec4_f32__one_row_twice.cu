// FAULT: the third row is taken for the fourth.

extern "C" __global__ void vec4_f32__one_row_twice(const float4* __restrict__ x, float4* __restrict__ y, int M, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int columns = N / 4, rows = M / 4;
    if (i >= columns * rows) return;
    int c = i % columns, r = i / columns;
    float4 v0 = x[(4 * r) * columns + c], v1 = x[(4 * r + 1) * columns + c];
    float4 v2 = x[(4 * r + 2) * columns + c], v3 = x[(4 * r + 2) * columns + c];
    y[(4 * c) * rows + r] = make_float4(v0.x, v1.x, v2.x, v3.x);
    y[(4 * c + 1) * rows + r] = make_float4(v0.y, v1.y, v2.y, v3.y);
    y[(4 * c + 2) * rows + r] = make_float4(v0.z, v1.z, v2.z, v3.z);
    y[(4 * c + 3) * rows + r] = make_float4(v0.w, v1.w, v2.w, v3.w);
}
