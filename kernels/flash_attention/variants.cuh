// What the float kernels of this folder share: rows of Q, K, V and O are D floats, S keys; masks and exponentials vary.
#pragma once
#include <float.h>
#include <math.h>

// Causal: query m sees keys 0 to m + S - M, so that the last query sees all.
struct Full {
    static __device__ int keys(int m, int M, int S) { return S; }
};
struct Causal {
    static __device__ int keys(int m, int M, int S) { return m + 1 + S - M; }
};

// An exponential of (score - maximum) * scale.
struct Expf {
    static __device__ float factor(float scale) { return scale; }
    static __device__ float of(float v) { return expf(v); }
};
struct FastExpf {
    static __device__ float factor(float scale) { return scale; }
    static __device__ float of(float v) { return __expf(v); }
};
// log2(e) folded into the scale.
struct Exp2f {
    static __device__ float factor(float scale) { return scale * 1.4426950408889634f; }
    static __device__ float of(float v) { return exp2f(v); }
};
