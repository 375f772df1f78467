// What the kernels of this folder are varied by: how exp(v - m) and log(s) are computed.
#pragma once
#include <float.h>
#include <math.h>

struct Precise {
    static __device__ float exp(float v, float m) { return expf(v - m); }
    static __device__ float log(float s) { return logf(s); }
};
struct Fast {
    static __device__ float exp(float v, float m) { return __expf(v - m); }
    static __device__ float log(float s) { return __logf(s); }
};
