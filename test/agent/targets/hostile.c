// Attacks the agent: `maps SECONDS FILE...` maps files as code and burns CPU time; `storm COUNT
// PROGRAM` starts a program COUNT times, each in its own process.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sink;

static void map_files(int count, char **paths) {
  for (int i = 0; i < count; i += 1) {
    int file = open(paths[i], O_RDONLY | O_NONBLOCK);
    if (file >= 0) mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
  }
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  if (!strcmp(arguments[1], "maps")) {
    map_files(count - 3, arguments + 3);
    clock_t end = (clock_t)(atof(arguments[2]) * CLOCKS_PER_SEC);
    while (clock() < end) sink = sink * 1664525u + 1013904223u;
    return 0;
  }
  for (int i = atoi(arguments[2]); i > 0; i -= 1) {
    pid_t child = vfork();
    if (child == 0) {
      execl(arguments[3], arguments[3], (char *)0);
      _exit(127);
    }
    waitpid(child, 0, 0);
  }
  return 0;
}
