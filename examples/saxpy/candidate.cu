// The same, four elements at a time, in a grid-stride loop, and the up to three elements that are left one by one.
extern "C" __global__ void saxpy_vec4(int n, float a, const float* x, float* y) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int quads = n / 4;
  for (int i = thread; i < quads; i += threads) {
    float4 u = reinterpret_cast<const float4*>(x)[i];
    float4 v = reinterpret_cast<float4*>(y)[i];
    v.x = a * u.x + v.x;
    v.y = a * u.y + v.y;
    v.z = a * u.z + v.z;
    v.w = a * u.w + v.w;
    reinterpret_cast<float4*>(y)[i] = v;
  }
  int i = quads * 4 + thread;
  if (i < n) y[i] = a * x[i] + y[i];
}
