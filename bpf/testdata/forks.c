// Starts children that work for 30 ms each: every other one runs this program again by exec.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sink;

__attribute__((noinline)) static int compare(const void *left, const void *right) {
  for (int i = 0; i < 100; i++) sink = sink * 1664525u + 1013904223u;
  return *(const int *)left - *(const int *)right;
}

__attribute__((noinline)) static void work(void) {
  int values[512];
  clock_t end = clock() + 30 * CLOCKS_PER_SEC / 1000;
  while (clock() < end) {
    for (int i = 0; i < 512; i++) values[i] = (i * 7919) % 512;
    qsort(values, 512, sizeof(int), compare);
  }
}

int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "child") == 0) {
    work();
    return 0;
  }
  time_t end = time(0) + 20;
  for (int i = 0; time(0) < end; i++) {
    pid_t child = fork();
    if (child == 0) {
      if (i % 2) execl(arguments[0], arguments[0], "child", (char *)0);
      work();
      _exit(0);
    }
    waitpid(child, 0, 0);
  }
  return 0;
}
