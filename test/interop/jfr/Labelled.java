import io.pyroscope.labels.v2.LabelsSet;
import io.pyroscope.labels.v2.Pyroscope;

/**
 * Burns CPU time and allocates for some seconds, half of the time with a label of Pyroscope's SDK.
 */
public final class Labelled {
  static volatile double sink;
  static volatile byte[] kept;

  static void burn() {
    double sum = 0;
    for (int i = 0; i < 100_000; i += 1) sum += Math.sin(i);
    sink = sum;
    kept = new byte[50_000];
  }

  static void serve() {
    burn();
  }

  public static void main(String[] arguments) {
    long end = System.currentTimeMillis() + Long.parseLong(arguments[0]) * 1_000;
    while (System.currentTimeMillis() < end) {
      burn();
      Pyroscope.LabelsWrapper.run(new LabelsSet("endpoint", "/cart"), () -> serve());
    }
  }
}
