// Requests of the normal client: a small push, a small query, and a readiness check.
import { makeGzippedPprof } from './bodies/pprof.ts';
import { encodeRemoteWrite } from './bodies/remote-write.ts';
import { writeRawJson } from './bodies/write-raw.ts';
import type { Shot } from './client.ts';
import { type Kind, readyPaths } from './contender.ts';

export const probeNames = ['ready', 'push', 'question'] as const;
export type ProbeName = (typeof probeNames)[number];
export type Probes = Readonly<Record<ProbeName, (i: number) => Shot>>;

const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="probe"}';
const minute = 60_000;

/** Returns the probes for a kind of server. */
export function makeProbes(kind: Kind): Probes {
  const ready = (): Shot => ({ path: readyPaths[kind] });
  const profile = (): Buffer =>
    makeGzippedPprof({
      samples: 20,
      depth: 10,
      functions: 60,
      salt: 'probe',
      timeMillis: Date.now(),
    });
  if (kind === 'prometheus') {
    return {
      ready,
      push: () => ({
        path: '/api/v1/write',
        headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
        body: encodeRemoteWrite([{ labels: { __name__: 'probe', job: 'probe' }, value: 1 }]),
      }),
      question: () => ({ path: '/api/v1/query?query=sum(rate(probe%5B5m%5D))' }),
    };
  }
  if (kind === 'pyroscope') {
    const now = (): number => Math.floor(Date.now() / 1_000);
    return {
      ready,
      push: () => ({
        path: `/ingest?name=probe&format=pprof&from=${now() - 10}&until=${now()}`,
        body: profile(),
      }),
      question: () => ({
        path:
          '/pyroscope/render?from=now-5m&until=now&format=json&query=' +
          encodeURIComponent('process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name="probe"}'),
      }),
    };
  }
  return {
    ready,
    push: () => ({
      path: '/api/profiles/writeraw',
      headers: { 'content-type': 'application/json' },
      body: writeRawJson([
        { labels: { __name__: 'process_cpu', job: 'probe' }, profile: profile() },
      ]),
    }),
    question: () => {
      const fields = new URLSearchParams({
        mode: 'MODE_MERGE',
        report_type: 'REPORT_TYPE_TOP',
        'merge.query': query,
        'merge.start': new Date(Date.now() - minute).toISOString(),
        'merge.end': new Date(Date.now() + minute).toISOString(),
      });
      return { path: `/api/profiles/query?${fields}` };
    },
  };
}
