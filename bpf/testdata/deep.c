// Recurses 300 frames deep, and spends its time there.
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) static int descend(int depth) {
  if (depth == 0) {
    for (int i = 0; i < 2000000; i++) sink = sink * 1664525u + 1013904223u;
    return 0;
  }
  return descend(depth - 1) + (int)(sink & 1);
}

int main(void) {
  clock_t end = clock() + 20 * CLOCKS_PER_SEC;
  while (clock() < end) sink += descend(300);
  return 0;
}
