// Fills a server before it is attacked: pushes profiles of ten services, and makes ordinary
// requests.
import type { Target } from './attack.ts';
import { makeGzippedPprof, ordinaryShape } from './bodies/pprof.ts';
import { makeSeries, writeRawJson } from './bodies/write-raw.ts';
import { ask } from './client.ts';

/** Query that selects all profiles that `fill` pushes. */
export const filledQuery = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="shop"}';

/** Pushes `rounds` profiles for each of 40 series through Parca's API. */
export async function fill(target: Target, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const timeMillis = Date.now() - round * 60_000;
    for (let service = 0; service < 10; service += 1) {
      const profile = makeGzippedPprof(ordinaryShape(`fill${service % 6}`, timeMillis));
      const podLabels = (pod: number): Record<string, string> => ({
        job: 'shop',
        service: `s${service}`,
        pod: `pod-${service}-${pod}`,
      });
      await ask(target, {
        path: '/api/profiles/writeraw',
        headers: { 'content-type': 'application/json' },
        body: writeRawJson(makeSeries(4, profile, podLabels)),
      });
    }
  }
}

/**
 * Pushes profiles and requests reports. Memory after an attack should be compared with the memory
 * of a server that has done some work, not of a server that has just started.
 */
export async function warm(target: Target): Promise<void> {
  await fill(target, 1);
  const start = new Date(Date.now() - 3_600_000).toISOString();
  const end = new Date().toISOString();
  for (const report of ['FLAMEGRAPH_ARROW', 'TOP', 'CALLGRAPH', 'TABLE_ARROW', 'PPROF']) {
    const fields = new URLSearchParams({
      mode: 'MODE_MERGE',
      report_type: `REPORT_TYPE_${report}`,
      'merge.query': filledQuery,
      'merge.start': start,
      'merge.end': end,
    });
    await ask(target, { path: `/api/profiles/query?${fields}` });
  }
  await ask(target, { path: '/api/profiles/labels' });
  await ask(target, { path: '/api/profiles/labels/pod/values' });
}
