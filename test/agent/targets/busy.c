// Burns CPU time: three quarters of it in hot_loop, the rest in warm_loop; then prints how much.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile double sink;

__attribute__((noinline)) double hot_loop(long rounds) {
  double value = 1.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000001 + 0.5;
  return value;
}

__attribute__((noinline)) double warm_loop(long rounds) {
  double value = 2.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000003 + 0.25;
  return value;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

__attribute__((noinline)) void work(double seconds) {
  while (cpu_seconds() < seconds) sink = hot_loop(300000) + warm_loop(100000);
}

int main(int argc, char **argv) {
  work(argc > 1 ? atof(argv[1]) : 1);
  printf("%f\n", cpu_seconds());
  return 0;
}
