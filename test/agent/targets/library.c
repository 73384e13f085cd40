// Library that busy.c loads; it burns CPU time like busy.c.
#include <time.h>

static volatile double sink;

__attribute__((noinline, noclone)) static double hot_loop(long rounds) {
  double value = 1.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000001 + 0.5;
  return value;
}

__attribute__((noinline, noclone)) static double warm_loop(long rounds) {
  double value = 2.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000003 + 0.25;
  return value;
}

void library_work(double seconds) {
  clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  while (clock() < end) sink = hot_loop(30000) + warm_loop(10000);
}
