// What is not inlined: calls, recursion, function pointers, virtual functions, local arrays, jump tables.
__device__ __noinline__ int Odd(int n);
__device__ __noinline__ int Even(int n) { return n == 0 ? 1 : Odd(n - 1) + 1; }
__device__ __noinline__ int Odd(int n) { return n == 0 ? 0 : Even(n - 1) * 2; }
__device__ __noinline__ void Swap(int* a, int* b) {
  int t = *a;
  *a = *b;
  *b = t;
}
extern "C" __global__ void recursion(const int* x, int* y) { y[threadIdx.x] = Even(x[threadIdx.x]); }

struct Triple {
  float x, y;
  double z;
};
__device__ __noinline__ Triple Scale(Triple t, float by) { return {t.x * by, t.y - by, t.z / by}; }
extern "C" __global__ void structures(Triple t, const float* by, float* y) {
  Triple r = Scale(t, by[threadIdx.x]);
  y[threadIdx.x] = r.x + r.y + float(r.z);
}

__device__ __noinline__ int Add(int a, int b) { return a + b; }
__device__ __noinline__ int Multiply(int a, int b) { return a * b; }
__device__ __noinline__ int Shift(int a, int b) { return a << (b & 7); }
__constant__ int (*const kOperations[])(int, int) = {Add, Multiply, Shift};
extern "C" __global__ void function_pointers(const int* which, const int* a, const int* b, int* y) {
  int i = threadIdx.x;
  y[i] = kOperations[which[i]](a[i], b[i]);
}

struct Shape {
  __device__ virtual int Area(int s) const = 0;
};
struct Square : Shape {
  int extra;
  __device__ explicit Square(int e) : extra(e) {}
  __device__ int Area(int s) const override { return s * s + extra; }
};
struct Strip : Shape {
  __device__ int Area(int s) const override { return 3 * s; }
};
extern "C" __global__ void virtual_functions(const int* x, int* y) {
  Square square(threadIdx.x);
  Strip strip;
  const Shape* shape = x[threadIdx.x] & 1 ? static_cast<const Shape*>(&square) : &strip;
  y[threadIdx.x] = shape->Area(x[threadIdx.x]);
}

// A heap in a local array, with indices that nobody knows while compiling.
extern "C" __global__ void local_heap(const int* x, int* y) {
  int heap[24], n = 0;
#pragma unroll 1
  for (int i = 0; i < 24; ++i) {
    int at = n++;
    heap[at] = x[threadIdx.x * 24 + i];
    while (at > 0 && heap[(at - 1) / 2] > heap[at]) {
      Swap(&heap[(at - 1) / 2], &heap[at]);
      at = (at - 1) / 2;
    }
  }
#pragma unroll 1
  for (int i = 0; i < 24; ++i) {
    y[threadIdx.x * 24 + i] = heap[0];
    heap[0] = heap[--n];
    for (int at = 0;;) {
      int least = at, l = 2 * at + 1, r = l + 1;
      if (l < n && heap[l] < heap[least]) least = l;
      if (r < n && heap[r] < heap[least]) least = r;
      if (least == at) break;
      Swap(&heap[least], &heap[at]);
      at = least;
    }
  }
}

// A stack machine: one switch, many cases.
extern "C" __global__ void jump_table(const unsigned char* code, int length, const int* x, int* y) {
  int stack[8], top = 0;
  stack[0] = x[threadIdx.x];
  for (int i = 0; i < length; ++i) {
    int a = stack[top];
    switch (code[i]) {
      case 0: stack[++top & 7] = a; break;
      case 1: --top; stack[top] += a; break;
      case 2: --top; stack[top] *= a; break;
      case 3: --top; stack[top] ^= a; break;
      case 4: stack[top] = -a; break;
      case 5: stack[top] = a >> 1; break;
      case 6: stack[top] = a | 0x55; break;
      case 7: stack[++top & 7] = threadIdx.x; break;
      case 8: stack[top] = a % 1000; break;
      default: stack[top] = ~a; break;
    }
  }
  y[threadIdx.x] = stack[top & 7];
}
