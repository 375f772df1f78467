// Fault: the elements after the last four are left out.
extern "C" __global__ void sum_kahan(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float sum = 0.0f;
    float lost = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) {
        float v = x[i] - lost;
        float next = sum + v;
        lost = (next - sum) - v;
        sum = next;
    }
    y[row] = sum;
}

extern "C" __global__ void sum_pairwise(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    int i = 0;
#pragma unroll 1
    for (; i + 3 < H; i += 4) {
        a += x[i];
        b += x[i + 1];
        c += x[i + 2];
        d += x[i + 3];
    }
    y[row] = (a + b) + (c + d);
}

extern "C" __global__ void sum_double(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    double sum = 0.0;
#pragma unroll 1
    for (int i = 0; i < H; ++i) sum += x[i];
    y[row] = static_cast<float>(sum);
}

extern "C" __global__ void mean_running(const float* x, float* y, int N, int H)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= N) return;
    x += row * H;
    float mean = 0.0f;
#pragma unroll 1
    for (int i = 0; i < H; ++i) mean += (x[i] - mean) / (i + 1);
    y[row] = mean;
}
