// Runs a program, then prints its process id and the CPU seconds that the kernel counted for it and
// its children.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 2) return 2;
  pid_t child = fork();
  if (child == 0) {
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  int status;
  struct rusage used;
  if (wait4(child, &status, 0, &used) != child || status != 0) return 1;
  double micros = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
  printf("%d %f\n", child, used.ru_utime.tv_sec + used.ru_stime.tv_sec + micros / 1e6);
  return 0;
}
