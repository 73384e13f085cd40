// Burns CPU time in a JVM that has written a perf map: three quarters in hotLoop, the rest in
// warmLoop.
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

public class Busy {
  static double sink;

  static void hotLoop() {
    double value = 1.5;
    for (int i = 0; i < 300_000; i++) value = value * 1.0000001 + 0.5;
    sink += value;
  }

  static void warmLoop() {
    double value = 2.5;
    for (int i = 0; i < 100_000; i++) value = value * 1.0000003 + 0.25;
    sink += value;
  }

  static void work(double seconds) {
    while (cpuSeconds() < seconds) {
      for (int i = 0; i < 10; i++) {
        hotLoop();
        warmLoop();
      }
    }
  }

  static double cpuSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }

  public static void main(String[] arguments) throws Exception {
    // This is long enough for both loops to be compiled.
    work(0.2);
    ManagementFactory.getPlatformMBeanServer()
        .invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "compilerPerfmap",
            null,
            null);
    // Runs longer than other programs, because samples from before the map have no names.
    work(3 * Double.parseDouble(arguments[0]));
  }
}
