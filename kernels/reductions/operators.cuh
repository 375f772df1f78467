// What the reductions of this folder are instantiated with.
#pragma once
#include <float.h>
#include <math.h>

struct Sum {
    static __device__ float start(const float*) { return 0.0f; }
    static __device__ float join(float a, float b) { return a + b; }
    static __device__ float end(float v, int) { return v; }
};
struct Mean {
    static __device__ float start(const float*) { return 0.0f; }
    static __device__ float join(float a, float b) { return a + b; }
    static __device__ float end(float v, int H) { return v / H; }
};
struct MaxFromInfinity {
    static __device__ float start(const float*) { return -INFINITY; }
    static __device__ float join(float a, float b) { return fmaxf(a, b); }
    static __device__ float end(float v, int) { return v; }
};
struct MaxFromLowest {
    static __device__ float start(const float*) { return -FLT_MAX; }
    static __device__ float join(float a, float b) { return fmaxf(a, b); }
    static __device__ float end(float v, int) { return v; }
};
struct MaxFromFirst {
    static __device__ float start(const float* row) { return row[0]; }
    static __device__ float join(float a, float b) { return fmaxf(a, b); }
    static __device__ float end(float v, int) { return v; }
};
