// Exports metrics under the names of other programs, for existing dashboards and alerts.
import type { Counter, MetricLabels, Metrics } from '../src/base/metrics.ts';

/** Another name for a counter or an observed gauge. */
interface OtherName {
  readonly name: string;
  /** Labels in addition to the counter's labels; gauges have none. */
  readonly labels?: MetricLabels;
}

/** Other names, by the name of a metric. */
export type OtherNames = Readonly<Record<string, readonly OtherName[]>>;

/**
 * Wraps `metrics` so that counters and observed gauges are exported under their other names, too.
 */
export function withOtherNames(metrics: Metrics, names: OtherNames): Metrics {
  return {
    counter: (name, help, labelNames = []) => {
      const own = metrics.counter(name, help, labelNames);
      const others = (names[name] ?? []).map((other): Counter => {
        const fixed = other.labels ?? {};
        const counter = metrics.counter(other.name, help, [...labelNames, ...Object.keys(fixed)]);
        return { add: (by, labels) => counter.add(by, { ...labels, ...fixed }) };
      });
      if (others.length === 0) return own;
      return {
        add(by, labels) {
          own.add(by, labels);
          for (const other of others) other.add(by, labels);
        },
      };
    },
    gauge: (...given) => metrics.gauge(...given),
    observedGauge: (name, help, read) => {
      const others = (names[name] ?? []).map((other) => other.name);
      for (const one of [name, ...others]) metrics.observedGauge(one, help, read);
    },
    histogram: (...given) => metrics.histogram(...given),
  };
}
