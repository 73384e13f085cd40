// The program's metrics in Prometheus' text format. Implements base/metrics.ts with prom-client.
import {
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Registry,
  collectDefaultMetrics,
} from 'prom-client';
import type { Counter, Gauge, Histogram, Metrics } from '../base/metrics.ts';

/** Metrics that can be exported for Prometheus. */
export interface MetricsRegistry extends Metrics {
  /** Returns the body of /metrics and its content type. */
  text(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export interface BuildInfo {
  readonly version: string;
  readonly commit: string;
}

const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/**
 * Creates a registry. It contains the metrics of the process and of the runtime, and
 * `parca_build_info`.
 */
export function createMetricsRegistry(build: BuildInfo): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Removes gauges whose names say that they are counters. The same values exist under correct
  // names.
  for (const name of misnamed) registry.removeSingleMetric(name);
  const info = new PromGauge({
    name: 'parca_build_info',
    help: 'Constant 1, with what was built as labels.',
    labelNames: ['version', 'commit', 'nodeversion'],
    registers: [registry],
  });
  info.set({ ...build, nodeversion: process.version }, 1);
  return fromRegistry(registry);
}

function fromRegistry(registry: Registry): MetricsRegistry {
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const observed = new Map<string, () => number>();
  return {
    counter: (name, help, labelNames) =>
      once(counters, name, () => createCounter(registry, name, help, labelNames ?? [])),
    gauge: (name, help, labelNames) =>
      once(gauges, name, () => createGauge(registry, name, help, labelNames ?? [])),
    observedGauge: (name, help, read) => {
      if (!observed.has(name)) createObservedGauge(registry, name, help, observed);
      observed.set(name, read);
    },
    histogram: (name, help, buckets, labelNames) =>
      once(histograms, name, () =>
        createHistogram(registry, name, help, buckets, labelNames ?? []),
      ),
    text: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function once<T>(known: Map<string, T>, name: string, create: () => T): T {
  const existing = known.get(name);
  if (existing !== undefined) return existing;
  const created = create();
  known.set(name, created);
  return created;
}

function createCounter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
): Counter {
  const counter = new PromCounter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
  });
  return {
    add: (by = 1, labels) => (labels ? counter.inc({ ...labels }, by) : counter.inc(by)),
  };
}

function createGauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
): Gauge {
  const gauge = new PromGauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  return {
    set: (value, labels) => (labels ? gauge.set({ ...labels }, value) : gauge.set(value)),
  };
}

function createObservedGauge(
  registry: Registry,
  name: string,
  help: string,
  observed: ReadonlyMap<string, () => number>,
): void {
  const gauge = new PromGauge({
    name,
    help,
    registers: [],
    collect() {
      const read = observed.get(name);
      if (read) this.set(read());
    },
  });
  registry.registerMetric(gauge);
}

function createHistogram(
  registry: Registry,
  name: string,
  help: string,
  buckets: readonly number[],
  labelNames: readonly string[],
): Histogram {
  const histogram = new PromHistogram({
    name,
    help,
    buckets: [...buckets],
    labelNames: [...labelNames],
    registers: [registry],
  });
  return {
    observe: (value, labels) =>
      labels ? histogram.observe({ ...labels }, value) : histogram.observe(value),
  };
}
