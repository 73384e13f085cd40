// Exports the agent's metrics under Parca Agent's names, too, for existing dashboards and alerts.
import type { Clock } from '../../src/base/clock.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import type { Server } from '../../src/base/node/grpc-client.ts';
import { countCalls } from '../../src/forward/counted-server.ts';
import type { OtherNames } from '../other-names.ts';

/** Parca Agent's names for our counters. */
export const agentNames: OtherNames = {
  parca_agent_samples_total: [
    { name: 'parca_reporter_samples_total', labels: { type: 'cpu' } },
    { name: 'sample_writes_total' },
  ],
  parca_agent_samples_skipped_by_relabeling_total: [
    { name: 'parca_reporter_skipped_by_relabeling' },
  ],
  parca_agent_write_request_bytes_total: [{ name: 'sample_write_request_bytes' }],
};

/** Returns a server whose calls are counted under the names of gRPC clients and of Parca Agent. */
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
