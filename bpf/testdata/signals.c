// Spends its time in a signal handler that interrupts a sort; with an argument, on its own stack.
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((noinline)) static void burn(int rounds) {
  for (int i = 0; i < rounds; i++) sink = sink * 1664525u + 1013904223u;
}

__attribute__((noinline)) static void handler(int number) {
  (void)number;
  burn(2000000);
}

__attribute__((noinline)) static int compare(const void *left, const void *right) {
  burn(100);
  return *(const int *)left - *(const int *)right;
}

int main(int count, char **arguments) {
  (void)arguments;
  static char stack[65536];
  struct sigaction action = {0};
  action.sa_handler = handler;
  if (count > 1) {
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof(stack)};
    sigaltstack(&alternative, 0);
    action.sa_flags = SA_ONSTACK;
  }
  sigaction(SIGALRM, &action, 0);
  struct itimerval every = {{0, 5000}, {0, 5000}};
  setitimer(ITIMER_REAL, &every, 0);
  int values[512];
  clock_t end = clock() + 20 * CLOCKS_PER_SEC;
  while (clock() < end) {
    for (int i = 0; i < 512; i++) values[i] = (i * 7919) % 512;
    qsort(values, 512, sizeof(int), compare);
  }
  return 0;
}
