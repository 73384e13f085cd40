// Loads a library a second after its start, and spends its time in it.
#include <dlfcn.h>
#include <time.h>

int main(int count, char **arguments) {
  static volatile unsigned sink;
  if (count < 2) return 2;
  clock_t load = clock() + CLOCKS_PER_SEC;
  while (clock() < load) sink++;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (!library) return 3;
  int (*work)(int) = (int (*)(int))dlsym(library, "library_work");
  if (!work) return 4;
  clock_t end = clock() + 20 * CLOCKS_PER_SEC;
  while (clock() < end) work(1000);
  return 0;
}
