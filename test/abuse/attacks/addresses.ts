// Attacks whose requests come from two hundred addresses.
import type { Attack } from '../attack.ts';
import { makeGzippedPprof } from '../bodies/pprof.ts';
import { makeSeries, writeRawJson } from '../bodies/write-raw.ts';
import { shooting, type Shot } from '../client.ts';
import { merge } from './queries.ts';

const addressCount = 200;

/** Keeps one request per address in flight; other clients do not use these addresses. */
function fromAll(name: string, door: 'parca' | 'own', shotOf: (i: number) => Shot): Attack {
  return {
    name,
    door,
    prepare: async (target) =>
      shooting(target, addressCount, (i) => ({
        ...shotOf(i),
        localAddress: `127.0.7.${1 + (i % addressCount)}`,
      })),
  };
}

const json = { 'content-type': 'application/json' };
const profile = makeGzippedPprof({ samples: 2_000, depth: 24, functions: 900, salt: 'fleet' });
const pushes = Array.from({ length: addressCount }, (_, i) =>
  writeRawJson(makeSeries(1, profile, () => ({ job: 'fleet', pod: String(i) }))),
);
const push = (i: number): Shot => ({
  path: '/api/profiles/writeraw',
  headers: json,
  body: pushes[i % pushes.length],
});

export const addressAttacks: readonly Attack[] = [
  fromAll('addresses-that-push', 'parca', push),
  fromAll('addresses-that-ask', 'parca', (i) => merge(i, 'FLAMEGRAPH_ARROW')),
  fromAll('addresses-that-push-and-ask', 'parca', (i) => (i % 2 ? push(i) : merge(i, 'TOP'))),
];
