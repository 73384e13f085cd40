/** Makes a large recording for some seconds: several threads allocate memory with many stacks. */
public final class Many {
  static volatile long sink;

  static int call(int depth, int seed) {
    if (depth == 0) {
      byte[] made = new byte[2_048 + seed % 512];
      sink += made.length;
      return made[0];
    }
    switch ((seed >> (depth % 16)) & 3) {
      case 0:
        return a(depth - 1, seed);
      case 1:
        return b(depth - 1, seed);
      case 2:
        return c(depth - 1, seed);
      default:
        return d(depth - 1, seed);
    }
  }

  static int a(int depth, int seed) {
    return call(depth, seed) + 1;
  }

  static int b(int depth, int seed) {
    return call(depth, seed) + 2;
  }

  static int c(int depth, int seed) {
    return call(depth, seed) + 3;
  }

  static int d(int depth, int seed) {
    return call(depth, seed) + 4;
  }

  static void work(int first, long end) {
    int number = first;
    while (System.currentTimeMillis() < end) {
      number = number * 1103515245 + 12345;
      sink += call(24, (number >>> 8) & 0x3fff);
    }
  }

  public static void main(String[] arguments) throws Exception {
    long end = System.currentTimeMillis() + Long.parseLong(arguments[0]) * 1_000;
    Thread[] threads = new Thread[8];
    for (int i = 0; i < threads.length; i += 1) {
      int first = i;
      threads[i] = new Thread(() -> work(first, end), "many-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
  }
}
