// Recurses 300 frames deep, or as many as its argument says, and spends its time there.
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) static int descend(int depth) {
  if (depth == 0) {
    for (int i = 0; i < 2000000; i++) sink = sink * 1664525u + 1013904223u;
    return 0;
  }
  return descend(depth - 1) + (int)(sink & 1);
}

int main(int count, char **arguments) {
  int depth = count > 1 ? atoi(arguments[1]) : 300;
  clock_t end = clock() + 20 * CLOCKS_PER_SEC;
  while (clock() < end) sink += descend(depth);
  return 0;
}
