// Spends its time below a function that aligns its stack: its caller's frame is found in memory.
static volatile unsigned sink;

__attribute__((noinline)) static void burn(unsigned char *bytes) {
  for (int i = 0; i < 100000; i++) sink = sink * 1664525u + bytes[i & 63];
}

__attribute__((noinline)) static void realign(int count) {
  _Alignas(64) unsigned char bytes[64] = {0};
  unsigned char more[count];
  more[0] = 1;
  bytes[0] = more[0];
  burn(bytes);
  sink += bytes[1];
}

int main(void) {
  for (;;) realign(64 + (int)(sink & 63));
}
