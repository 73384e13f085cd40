import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Burns CPU time, allocates, waits for a monitor and parks, in named threads, for some seconds. */
public final class Busy {
  static volatile double sink;
  static final Object lock = new Object();
  static final List<byte[]> kept = new ArrayList<>();

  static void burn() {
    double sum = 0;
    for (int i = 0; i < 100_000; i += 1) sum += Math.sin(i);
    sink = sum;
  }

  static void allocate() {
    for (int i = 0; i < 20; i += 1) {
      byte[] made = new byte[1_024 * (1 + i % 8)];
      sink += made.length;
      if (i == 7 && kept.size() < 1_000) synchronized (kept) { kept.add(made); }
    }
  }

  static void contend() throws InterruptedException {
    synchronized (lock) {
      Thread.sleep(12);
    }
  }

  static void park() {
    LockSupport.parkNanos(22_000_000);
  }

  static void work(long end) {
    try {
      while (System.currentTimeMillis() < end) {
        burn();
        allocate();
        contend();
        park();
      }
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }

  public static void main(String[] arguments) throws Exception {
    long end = System.currentTimeMillis() + Long.parseLong(arguments[0]) * 1_000;
    Thread first = new Thread(() -> work(end), "worker-ä");
    Thread second = new Thread(() -> work(end), "worker-b");
    first.start();
    second.start();
    while (System.currentTimeMillis() < end) {
      burn();
      allocate();
      Thread.sleep(1);
    }
    first.join();
    second.join();
  }
}
