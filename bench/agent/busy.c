// Burns CPU time in a given number of threads, one per CPU. Each stack has 20 frames: functions
// without frame pointers, and the C library's qsort with its callback.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static volatile uint64_t sink;

NOINLINE static int compare(const void *left, const void *right) {
  int a = *(const int *)left;
  int b = *(const int *)right;
  uint64_t x = a + b;
  for (int i = 0; i < 2000; i++) x = x * 6364136223846793005u + 1442695040888963407u;
  sink += x;
  return a - b;
}

NOINLINE static void sort(long salt) {
  int values[64];
  for (int i = 0; i < 64; i++) values[i] = (i * 7919) % 64;
  qsort(values, 64, sizeof(int), compare);
  sink += values[3] + salt;
}

// The frames have different sizes, so that each function has its own unwind rules.
#define CALLER(number, callee)                                                                     \
  NOINLINE static void call##number(long salt) {                                                   \
    volatile char room[number * 8 + 8];                                                            \
    room[0] = (char)salt;                                                                          \
    callee(salt + number);                                                                         \
    sink += room[0];                                                                               \
  }
CALLER(0, sort)
CALLER(1, call0)
CALLER(2, call1)
CALLER(3, call2)
CALLER(4, call3)
CALLER(5, call4)
CALLER(6, call5)
CALLER(7, call6)
CALLER(8, call7)
CALLER(9, call8)

static void *run(void *cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((long)cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
  for (;;) call9(1);
}

int main(int count, char **arguments) {
  long threads = count > 1 ? atol(arguments[1]) : 1;
  for (long cpu = 1; cpu < threads; cpu++) {
    pthread_t thread;
    pthread_create(&thread, 0, run, (void *)cpu);
  }
  run(0);
}
