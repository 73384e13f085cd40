// The interface by which components emit metrics; telemetry/metrics.ts implements it for /metrics.

export type MetricLabels = Readonly<Record<string, string>>;

/** A number that only grows; `by` defaults to 1. */
export interface Counter {
  add(by?: number, labels?: MetricLabels): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number, labels?: MetricLabels): void;
}

/** A distribution over fixed buckets. */
export interface Histogram {
  observe(value: number, labels?: MetricLabels): void;
}

/**
 * Creates metrics. Names follow Prometheus (`parca_<subsystem>_<what>_<unit>[_total]`). A second
 * call with the same name returns the same metric.
 */
export interface Metrics {
  counter(name: string, help: string, labelNames?: readonly string[]): Counter;
  gauge(name: string, help: string, labelNames?: readonly string[]): Gauge;
  /** Creates a gauge whose value is read whenever /metrics is read. */
  observedGauge(name: string, help: string, read: () => number): void;
  histogram(
    name: string,
    help: string,
    buckets: readonly number[],
    labelNames?: readonly string[],
  ): Histogram;
}

const nothing = { add: () => undefined, set: () => undefined, observe: () => undefined };

/** Metrics that drop every value; for tests and tools. */
export const noMetrics: Metrics = {
  counter: () => nothing,
  gauge: () => nothing,
  observedGauge: () => undefined,
  histogram: () => nothing,
};
