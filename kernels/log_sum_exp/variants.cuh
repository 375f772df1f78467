// What the kernels of this folder are varied by: how a running maximum starts, and how exp(v - m) and log(s) are computed.
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

struct Precise {
    static __device__ float exp(float v, float m) { return expf(v - m); }
    static __device__ float log(float s) { return logf(s); }
};
struct Fast {
    static __device__ float exp(float v, float m) { return __expf(v - m); }
    static __device__ float log(float s) { return __logf(s); }
};
// Base 2, with log2(e) folded into the scale and ln(2) taken out at the end.
struct Base2 {
    static __device__ float exp(float v, float m)
    {
        const float log2e = 1.4426950408889634f;
        return exp2f(fmaf(v, log2e, -m * log2e));
    }
    static __device__ float log(float s) { return log2f(s) * 0.6931471805599453f; }
};
