// Metrics of the agent under the names of Parca Agent as well, for existing dashboards and alerts.
import type { Clock } from '../../src/base/clock.ts';
import type { Counter, MetricLabels, Metrics } from '../../src/base/metrics.ts';
import type { Server } from '../../src/base/node/grpc-client.ts';
import { countCalls } from '../../src/forward/counted-server.ts';

/** Another name of a counter, with its labels. */
interface OtherName {
  readonly name: string;
  readonly labels?: MetricLabels;
}

/** Names of Parca Agent for counters of ours. */
const otherNames: Readonly<Record<string, readonly OtherName[]>> = {
  parca_agent_samples_total: [
    { name: 'parca_reporter_samples_total', labels: { type: 'cpu' } },
    { name: 'sample_writes_total' },
  ],
  parca_agent_samples_skipped_by_relabeling_total: [
    { name: 'parca_reporter_skipped_by_relabeling' },
  ],
  parca_agent_write_request_bytes_total: [{ name: 'sample_write_request_bytes' }],
};

/** Returns metrics whose counters also have Parca Agent's names. */
export function withParcaNames(metrics: Metrics): Metrics {
  return {
    counter: (name, help, labelNames) => {
      const own = metrics.counter(name, help, labelNames);
      const others = (otherNames[name] ?? []).map((other): Counter => {
        const labels = other.labels ?? {};
        const counter = metrics.counter(other.name, help, Object.keys(labels));
        return { add: (by) => counter.add(by, labels) };
      });
      if (others.length === 0) return own;
      return {
        add(by, labels) {
          own.add(by, labels);
          for (const other of others) other.add(by);
        },
      };
    },
    gauge: (...given) => metrics.gauge(...given),
    observedGauge: (...given) => metrics.observedGauge(...given),
    histogram: (...given) => metrics.histogram(...given),
  };
}

/** Returns a server whose calls are counted as gRPC's clients and Parca Agent count them. */
export function countAgentCalls(server: Server, metrics: Metrics, clock: Clock): Server {
  const writes = metrics.counter(
    'parca_agent_write_requests_total',
    'Writes that have ended, by the code of their status.',
    ['code'],
  );
  const uploaded = metrics.counter(
    'debuginfo_upload_request_bytes',
    'Bytes of debug information that were uploaded through the server.',
  );
  return countCalls(server, metrics, clock, (method, code, bytes) => {
    if (method.includes('ProfileStoreService/')) writes.add(1, { code });
    if (method.endsWith('DebuginfoService/Upload')) uploaded.add(bytes);
  });
}
