// What the kernels of this folder are varied by: how a running maximum starts, and how exp(v - m) is computed.
#pragma once
#include <float.h>
#include <math.h>

struct FromInfinity {
    static __device__ float start(const float*) { return -INFINITY; }
};
struct FromLowest {
    static __device__ float start(const float*) { return -FLT_MAX; }
};
struct FromFirst {
    static __device__ float start(const float* row) { return row[0]; }
};

struct Expf {
    static __device__ float of(float v, float m) { return expf(v - m); }
};
struct FastExpf {
    static __device__ float of(float v, float m) { return __expf(v - m); }
};
// log2(e) folded into the scale, as flash attention does it.
struct Exp2f {
    static __device__ float of(float v, float m)
    {
        const float log2e = 1.4426950408889634f;
        return exp2f(fmaf(v, log2e, -m * log2e));
    }
};
