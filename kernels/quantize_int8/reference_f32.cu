// Plain references. `reference_rows`: each row by its largest magnitude: scale = max(absmax, 1e-5) / 127, q = x / scale rounded to nearest even and
// clamped to [-127, 127], one thread a row. `reference_static`: by a given 1 / scale, clamped to [-128, 127], one thread an element.
// `reference_affine`: to unsigned bytes with a zero point (inputs so small that no integer overflows).
extern "C" __global__ void reference_rows(const float* x, signed char* q, float* scales, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    float largest = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i)
        largest = fmaxf(largest, fabsf(x[row * H + i]));
    float scale = fmaxf(largest, 1e-5f) / 127.0f;
    scales[row] = scale;
#pragma unroll 1
    for (int i = 0; i < H; ++i)
        q[row * H + i] = (signed char)fminf(fmaxf(rintf(x[row * H + i] / scale), -127.0f), 127.0f);
}

extern "C" __global__ void reference_static(const float* x, signed char* q, int N, float inv_scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    q[i] = (signed char)fminf(fmaxf(rintf(x[i] * inv_scale), -128.0f), 127.0f);
}

extern "C" __global__ void reference_affine(const float* x, unsigned char* q, int N, float inv_scale, int zero_point)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    int v = (int)rintf(x[i] * inv_scale) + zero_point;
    q[i] = (unsigned char)min(max(v, 0), 255);
}
