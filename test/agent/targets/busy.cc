// Burns CPU time, three quarters of it in hot_loop, which is inlined; also throws exceptions.
#include <cstdlib>
#include <ctime>
#include <stdexcept>

static volatile double sink;

__attribute__((always_inline)) static inline double hot_loop(long rounds) {
  double value = 1.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000001 + 0.5;
  return value;
}

__attribute__((noinline)) static double warm_loop(long rounds) {
  double value = 2.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000003 + 0.25;
  return value;
}

namespace busy {
template <typename Number>
__attribute__((noinline)) Number descend(int depth) {
  if (depth > 0) return descend<Number>(depth - 1) + 1;
  sink = hot_loop(300000) + warm_loop(100000);
  throw std::runtime_error("thrown");
}
}  // namespace busy

int main(int count, char **arguments) {
  double seconds = count > 1 ? std::atof(arguments[1]) : 1;
  while (std::clock() < seconds * CLOCKS_PER_SEC) {
    try {
      sink = busy::descend<double>(10);
    } catch (const std::runtime_error &error) {
      sink = sink + error.what()[0];
    }
  }
  return 0;
}
