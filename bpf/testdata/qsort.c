// Sorts through the C library's qsort for some seconds; the time is spent in the comparison.
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) static void burn(int rounds) {
  for (int i = 0; i < rounds; i++) sink = sink * 1664525u + 1013904223u;
}

__attribute__((noinline)) static int compare(const void *left, const void *right) {
  burn(200);
  return *(const int *)left - *(const int *)right;
}

__attribute__((noinline)) static void sort_all(int *values, int count) {
  qsort(values, count, sizeof(int), compare);
  sink += values[0];
}

int main(int count, char **arguments) {
  int values[512];
  double seconds = count > 1 ? atof(arguments[1]) : 3;
  clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
  while (clock() < end) {
    for (int i = 0; i < 512; i++) values[i] = (i * 7919) % 512;
    sort_all(values, 512);
  }
  return 0;
}
