// Attacks with labels of series: huge numbers of names, values and series, and patterns for them.
import type { Attack, Target } from '../attack.ts';
import { makePprof } from '../bodies/pprof.ts';
import { makeSeries, writeRawJson } from '../bodies/write-raw.ts';
import { ask, flood, send, shooting, type Shot } from '../client.ts';

const tiny = makePprof({ samples: 1, depth: 1, functions: 1, salt: 'tiny' });

/** Makes a request that pushes `count` series; `labelsOf` returns the labels of the i-th. */
function series(count: number, labelsOf: (i: number) => Readonly<Record<string, string>>): Shot {
  const headers = { 'content-type': 'application/json' };
  const body = writeRawJson(makeSeries(count, tiny, labelsOf));
  return { path: '/api/profiles/writeraw', body, headers };
}

/** Pushes series before the attack; if the server refuses some, the attack uses the rest. */
async function plant(
  target: Target,
  pushes: number,
  shotOf: (round: number) => Shot,
): Promise<void> {
  for (let round = 0; round < pushes; round += 1) await send(target, shotOf(round));
}

const selector = encodeURIComponent('{job=~".*"}');

export const labelAttacks: readonly Attack[] = [
  {
    // Gives each series its own label name, and requests the list of names.
    name: 'label-names',
    door: 'parca',
    prepare: async (target) => async (signal) => {
      const each = (round: number): Shot =>
        series(10_000, (i) => ({ job: 'names', [`n${round}_${i}`]: 'v' }));
      await flood(signal, 2, (i) =>
        send(target, i % 4 === 0 ? { path: '/api/profiles/labels' } : each(i), signal),
      );
    },
  },
  {
    name: 'label-names-small',
    door: 'parca',
    prepare: async (target) => {
      const each = (round: number): Shot =>
        series(1_000, (i) => ({ job: 'names', [`s${round}_${i}`]: 'v' }));
      const made = Array.from({ length: 20 }, (_, i) => each(i));
      return shooting(target, 2, (i) =>
        i % 4 === 0 ? { path: '/api/profiles/labels' } : made[i % made.length],
      );
    },
  },
  {
    name: 'label-values',
    door: 'parca',
    prepare: async (target) => {
      const long = 'v'.repeat(3_900);
      return (signal) =>
        flood(signal, 2, (round) =>
          send(
            target,
            series(4_000, (i) => ({ job: `${long}${round}_${i}` })),
            signal,
          ),
        );
    },
  },
  {
    name: 'new-series-small-pushes',
    door: 'parca',
    prepare: async (target) =>
      shooting(target, 16, (i) => series(50, (j) => ({ job: 'churn', pod: `p${i}_${j}` }))),
  },
  {
    // Lists of 8 MB.
    name: 'series-lists',
    door: 'parca',
    prepare: async (target) => {
      await plant(target, 4, (round) =>
        series(10_000, (i) => ({ job: 'list', pod: `${round}_${i}` })),
      );
      return shooting(target, 200, () => ({ path: `/api/profiles/series?match=${selector}` }));
    },
  },
  {
    name: 'series-lists-small',
    door: 'parca',
    prepare: async (target) => {
      await plant(target, 1, (round) =>
        series(3_000, (i) => ({ job: 'lists', pod: `${round}_${i}` })),
      );
      return shooting(target, 50, () => ({ path: `/api/profiles/series?match=${selector}` }));
    },
  },
  {
    name: 'values-lists',
    door: 'parca',
    prepare: async (target) => {
      await plant(target, 4, (round) =>
        series(10_000, (i) => ({ job: 'values', pod: `${round}_${i}` })),
      );
      return shooting(target, 64, (i) => ({
        path: i % 2 ? '/api/profiles/labels/pod/values' : '/api/v1/labels/pod/values?limit=100000',
      }));
    },
  },
  {
    name: 'counted-labels',
    door: 'own',
    prepare: async (target) => {
      await plant(target, 4, (round) =>
        series(5_000, (i) => ({ job: 'counts', [`c${round}_${i % 500}`]: `v${i}` })),
      );
      return shooting(target, 32, (i) => ({ path: `/api/v1/labels?start=now-${1 + (i % 40)}h` }));
    },
  },
  {
    name: 'counted-series',
    door: 'own',
    prepare: async (target) => {
      await plant(target, 4, (round) =>
        series(10_000, (i) => ({ job: `job${round}_${i % 2_000}`, pod: `${round}_${i}` })),
      );
      return shooting(target, 64, () => ({ path: '/api/v1/status/cardinality' }));
    },
  },
  {
    name: 'label-patterns',
    door: 'parca',
    prepare: async (target) => {
      await plant(target, 3, (round) =>
        series(10_000, (i) => ({ job: 'patterns', pod: `${'ab'.repeat(100)}${round}_${i}` })),
      );
      const pattern = (i: number): string => `(a|b|ab)*(${'a?'.repeat(100)})x${i}`;
      return shooting(target, 16, (i) => {
        const match = encodeURIComponent(`{pod=~"${pattern(i)}",pod!~".*b.*a${i}"}`);
        return { path: `/api/profiles/series?match=${match}` };
      });
    },
  },
  {
    // Requests alternatives to a misspelled value, which are searched among very long values.
    name: 'nearest-values',
    door: 'own',
    prepare: async (target) => {
      const long = 'v'.repeat(3_890);
      await plant(target, 1, () => series(100, (i) => ({ job: 'near', zone: `${long}${i}` })));
      const query = encodeURIComponent(`process_cpu{zone="${'w'.repeat(3_900)}",joob="x"}`);
      return shooting(target, 4, (i) => ({
        path: `/api/v1/nearest?query=${query}&start=now-${i}m&end=now`,
      }));
    },
  },
  {
    name: 'nearest-many-values',
    door: 'own',
    prepare: async (target) => {
      await plant(target, 4, (round) =>
        series(10_000, (i) => ({ job: `job-with-a-name-${round}-${i}`, zone: `z${i}` })),
      );
      const query = encodeURIComponent('process_cpu{job="job-with-a-nome-2-77",zoone="z"}');
      return shooting(target, 16, (i) => ({
        path: `/api/v1/nearest?query=${query}&start=now-${i}m&end=now`,
      }));
    },
  },
  {
    name: 'profile-types-lists',
    door: 'own',
    prepare: async (target) => {
      for (let i = 0; i < 1_500; i += 1) {
        const body = makePprof({
          samples: 1,
          depth: 1,
          functions: 1,
          salt: 't',
          type: `planted${i}`,
        });
        await ask(target, { path: `/api/v1/push?job=types&__name__=planted${i}`, body });
      }
      return shooting(target, 32, (i) => ({ path: `/api/profiles/types?start=${i}` }));
    },
  },
];
