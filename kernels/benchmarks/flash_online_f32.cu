// float, O = softmax(Q K^T / 8) V with Q and O 16 x 64, K and V 512 x 64: one CTA of 128 threads. Technique: flash attention. 16 tiles of
// 32 keys in shared memory; eight lanes a query, each with four scores of a tile and eight columns of O in registers; maximum
// and sum by shuffles among the eight, one rescaling a tile. Entries: the maximum starts at minus infinity or at -FLT_MAX.
#include <float.h>
#include <math.h>

__device__ void flash_online(const float4* __restrict__ Q, const float4* __restrict__ K, const float4* __restrict__ V, float4* __restrict__ O, float start)
{
    __shared__ float4 q[16][16], k[32][17], v[32][16];
    __shared__ float weight[16][32];
    int tid = threadIdx.x;
    int own = tid / 8;
    int lane = tid % 8;
    for (int i = tid; i < 256; i += 128) q[i / 16][i % 16] = Q[i];
    float top = start;
    float sum = 0.0f;
    float4 o[2] = {make_float4(0.0f, 0.0f, 0.0f, 0.0f), make_float4(0.0f, 0.0f, 0.0f, 0.0f)};
#pragma unroll 1
    for (int first = 0; first < 512; first += 32) {
        __syncthreads();
#pragma unroll 1
        for (int i = tid; i < 512; i += 128) {
            k[i / 16][i % 16] = K[first * 16 + i];
            v[i / 16][i % 16] = V[first * 16 + i];
        }
        __syncthreads();
        float s[4] = {};
#pragma unroll 2
        for (int d = 0; d < 16; ++d) {
            float4 a = q[own][d];
#pragma unroll
            for (int n = 0; n < 4; ++n) {
                float4 b = k[n * 8 + lane][d];
                s[n] += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
            }
        }
        float next = top;
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            s[n] *= 0.125f;
            next = fmaxf(next, s[n]);
        }
        for (int offset = 4; offset > 0; offset /= 2) next = fmaxf(next, __shfl_xor_sync(0xffffffffu, next, offset, 8));
        float old = __expf(top - next);
        float part = 0.0f;
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            float e = __expf(s[n] - next);
            weight[own][n * 8 + lane] = e;
            part += e;
        }
        for (int offset = 4; offset > 0; offset /= 2) part += __shfl_xor_sync(0xffffffffu, part, offset, 8);
        sum = sum * old + part;
        top = next;
        __syncwarp();
#pragma unroll
        for (int n = 0; n < 2; ++n) o[n] = make_float4(o[n].x * old, o[n].y * old, o[n].z * old, o[n].w * old);
#pragma unroll 2
        for (int j = 0; j < 32; ++j) {
            float e = weight[own][j];
#pragma unroll
            for (int n = 0; n < 2; ++n) {
                float4 b = v[j][n * 8 + lane];
                o[n] = make_float4(o[n].x + e * b.x, o[n].y + e * b.y, o[n].z + e * b.z, o[n].w + e * b.w);
            }
        }
    }
    float inverse = 1.0f / sum;
#pragma unroll
    for (int n = 0; n < 2; ++n) O[own * 16 + n * 8 + lane] = make_float4(o[n].x * inverse, o[n].y * inverse, o[n].z * inverse, o[n].w * inverse);
}

#define KERNEL(name, start)                                                                        \
    extern "C" __global__ void name(const float4* Q, const float4* K, const float4* V, float4* O) { flash_online(Q, K, V, O, start); }

KERNEL(flash_online_infinity, -INFINITY)
KERNEL(flash_online_lowest, -FLT_MAX)
