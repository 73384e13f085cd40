// Reads the time from the vDSO in a loop.
#include <time.h>

static volatile long sink;

__attribute__((noinline)) static void ask(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  sink += now.tv_nsec;
}

int main(void) {
  for (;;) ask();
}
