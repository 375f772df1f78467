// -use_fast_math: approximate instructions, flushed subnormals; and the intrinsics that ask for them by name.
extern "C" __global__ void fast_functions(const float* x, float* y) {
  int i = threadIdx.x, n = blockDim.x;
  float v = x[i];
  y[i] = expf(v);
  y[n + i] = logf(fabsf(v) + 0.1f);
  y[2 * n + i] = sinf(v);
  y[3 * n + i] = cosf(v);
  y[4 * n + i] = powf(fabsf(v) + 0.1f, 1.5f);
  y[5 * n + i] = tanhf(v);
  y[6 * n + i] = v / (v * v + 1.0f);
  y[7 * n + i] = sqrtf(fabsf(v));
  y[8 * n + i] = rsqrtf(fabsf(v) + 0.1f);
  y[9 * n + i] = __fdividef(1.0f, v + 20.0f);
  y[10 * n + i] = __expf(v) + __log2f(fabsf(v) + 1.0f);
  y[11 * n + i] = exp2f(v) * __saturatef(v);
}
extern "C" __global__ void flushed(const float* x, float* y) {
  int i = threadIdx.x, n = blockDim.x;
  float v = x[i];
  y[i] = v + 0.0f;
  y[n + i] = v * 0.5f;
  y[2 * n + i] = fmaf(v, 1.0f, v);
  y[3 * n + i] = fmaxf(v, -1.0f);
}
extern "C" __global__ void fast_softmax(const float* x, float* y) {
  __shared__ float part[4];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float v = x[blockIdx.x * 128 + threadIdx.x], largest = v;
  for (int s = 16; s > 0; s /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, s));
  if (lane == 0) part[warp] = largest;
  __syncthreads();
  largest = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  float e = expf(v - largest), sum = e;
  for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(~0u, sum, s);
  __syncthreads();
  if (lane == 0) part[warp] = sum;
  __syncthreads();
  y[blockIdx.x * 128 + threadIdx.x] = e / (part[0] + part[1] + part[2] + part[3]);
}
