// Appending to the pools that hold the parts of all interned forms, which hand out spans of themselves.
#ifndef RACER_SYMEXEC_NORMAL_POOL_H_
#define RACER_SYMEXEC_NORMAL_POOL_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace racer::normal {

// `values` may be a span of the pool itself. std::vector::insert must not be given one: where it grows, it has moved the elements away
// before it copies them, and a moved-from Rational is zero.
template <class T>
void AppendToPool(std::vector<T>& pool, std::span<const T> values) {
  const std::less<const T*> before;
  const bool own = !values.empty() && !before(values.data(), pool.data()) && before(values.data(), pool.data() + pool.size());
  const size_t first = own ? static_cast<size_t>(values.data() - pool.data()) : 0, size = pool.size() + values.size();
#ifdef __SANITIZE_ADDRESS__
  // Every span that is older than this is stale: the sanitizer sees whoever uses one.
  if (size < 4096) {
    std::vector<T> grown;
    grown.reserve(size);
    grown.insert(grown.end(), pool.begin(), pool.end());
    for (size_t i = 0; i < values.size(); ++i) grown.push_back(values[i]);
    pool.swap(grown);
    return;
  }
#endif
  if (size > pool.capacity()) pool.reserve(std::max(size, 2 * pool.capacity()));
  for (size_t i = 0; i < values.size() && own; ++i) pool.push_back(pool[first + i]);
  if (!own) pool.insert(pool.end(), values.begin(), values.end());
}

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_POOL_H_
