// Burns CPU time: three quarters in hot_loop, the rest in warm_loop. The first argument says how
// the loops are called, the second is the CPU time in seconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

__attribute__((noinline)) static double hot_loop(long rounds) {
  double value = 1.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000001 + 0.5;
  return value;
}

__attribute__((noinline)) static double warm_loop(long rounds) {
  double value = 2.5;
  for (long i = 0; i < rounds; i += 1) value = value * 1.0000003 + 0.25;
  return value;
}

static double cpu_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

__attribute__((noinline)) static void work(clockid_t clock, double seconds) {
  double end = cpu_seconds(clock) + seconds;
  while (cpu_seconds(clock) < end) sink = hot_loop(30000) + warm_loop(10000);
}

static int compare(const void *left, const void *right) {
  sink = hot_loop(3000) + warm_loop(1000);
  return *(const int *)left - *(const int *)right;
}

/* Calls the loops through frames of the C library. */
static void by_qsort(double seconds) {
  int values[64];
  while (cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) < seconds) {
    for (int i = 0; i < 64; i += 1) values[i] = i * 37 % 64;
    qsort(values, 64, sizeof(int), compare);
  }
}

static void *run_thread(void *seconds) {
  work(CLOCK_THREAD_CPUTIME_ID, *(double *)seconds);
  return 0;
}

static void by_threads(double seconds) {
  pthread_t threads[4];
  double each = seconds / 4;
  for (int i = 0; i < 4; i += 1) pthread_create(&threads[i], 0, run_thread, &each);
  for (int i = 0; i < 4; i += 1) pthread_join(threads[i], 0);
}

static void on_alarm(int number) {
  (void)number;
  sink = hot_loop(300000) + warm_loop(100000);
}

/* Spends half of the time in a signal handler that interrupts the program anywhere. */
static void by_signals(double seconds) {
  signal(SIGALRM, on_alarm);
  struct itimerval every = {{0, 3000}, {0, 3000}};
  setitimer(ITIMER_REAL, &every, 0);
  by_qsort(seconds);
}

/* Starts children that run for 30 ms, every other one through exec. */
static void by_forks(double seconds, char *program) {
  for (int i = 0; i * 0.03 < seconds; i += 1) {
    pid_t child = fork();
    if (child == 0) {
      if (i % 2) execl(program, program, "qsort", "0.03", (char *)0);
      work(CLOCK_PROCESS_CPUTIME_ID, 0.03);
      _exit(0);
    }
    waitpid(child, 0, 0);
  }
}

/* Calls a library that is loaded two seconds after the start. */
static void by_library(double seconds, char *path) {
  sleep(2);
  void *library = dlopen(path, RTLD_NOW);
  void (*library_work)(double) = library ? dlsym(library, "library_work") : 0;
  if (!library_work) exit(3);
  library_work(seconds);
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  char *way = arguments[1];
  double seconds = atof(arguments[2]);
  if (!strcmp(way, "deleted")) way = unlink(arguments[0]) ? "" : "qsort";
  if (!strcmp(way, "qsort")) by_qsort(seconds);
  else if (!strcmp(way, "threads")) by_threads(seconds);
  else if (!strcmp(way, "signals")) by_signals(seconds);
  else if (!strcmp(way, "forks")) by_forks(seconds, arguments[0]);
  else if (!strcmp(way, "library") && count > 3) by_library(seconds, arguments[3]);
  else return 2;
  return 0;
}
