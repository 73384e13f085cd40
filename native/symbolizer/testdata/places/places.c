// Prints addresses of its own code, and where it was loaded; in a program or a shared library.
#include <stdio.h>

#ifdef __x86_64__
#define HERE(place) __asm__ volatile("lea 0(%%rip), %0" : "=r"(place))
#else
#define HERE(place) __asm__ volatile("adr %0, ." : "=r"(place))
#endif

static unsigned long places[64];
static int count;

static inline __attribute__((always_inline)) long mix(long value) {
  HERE(places[count]);
  count += 1;
  return value * 31 + 7;
}

__attribute__((noinline)) long inner(long value) {
  HERE(places[count]);
  count += 1;
  return mix(value) ^ mix(value + 1);
}

__attribute__((noinline)) long outer(long value) {
  long sum = inner(value) + mix(value);
  HERE(places[count]);
  count += 1;
  return sum * count;
}

long print_places(void) {
  long sum = outer(3);
  for (int i = 0; i < count; i++) printf("place %lx\n", places[i]);
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[4096];
  while (fgets(line, sizeof line, maps) != NULL) fputs(line, stdout);
  fclose(maps);
  return sum;
}

#ifndef LIBRARY
int main(void) { return print_places() == 0; }
#endif
