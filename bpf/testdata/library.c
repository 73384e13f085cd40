// The library that late.c loads.
static volatile unsigned sink;

__attribute__((noinline)) static int inner(int rounds) {
  for (int i = 0; i < rounds; i++) sink = sink * 1664525u + 1013904223u;
  return (int)sink;
}

int library_work(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; i++) sum += inner(rounds);
  return sum;
}
