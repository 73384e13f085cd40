// The same attacks on APIs of other servers: Prometheus' remote write and queries, and Pyroscope's
// pushes.
import { gzipSync } from 'node:zlib';
import type { Attack, Target } from '../attack.ts';
import { makeGzippedPprof, ordinaryShape, type Shape } from '../bodies/pprof.ts';
import { type RemoteSample, encodeRemoteWrite } from '../bodies/remote-write.ts';
import { flood, send, shooting, type Shot } from '../client.ts';
import { manyTargets } from './targets.ts';

/** Makes a remote-write request for `count` series; `labelsOf` returns the labels of the i-th. */
function remoteWrite(count: number, labelsOf: (i: number) => RemoteSample['labels']): Shot {
  const samples = Array.from({ length: count }, (_, i) => ({
    labels: { __name__: 'attack', ...labelsOf(i) },
    value: i,
  }));
  const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' };
  return { path: '/api/v1/write', headers, body: encodeRemoteWrite(samples) };
}

/** Pushes series, and then sends requests. */
function planted(name: string, atOnce: number, shotOf: (i: number) => Shot): Attack {
  return {
    name,
    door: 'prometheus',
    prepare: async (target) => {
      for (let round = 0; round < 4; round += 1) {
        await send(
          target,
          remoteWrite(10_000, (i) => ({ job: 'plant', pod: `${round}_${i}` })),
        );
      }
      return shooting(target, atOnce, shotOf);
    },
  };
}

const get = (path: string, query: string): Shot => ({ path: `${path}?${query}` });
const everything = encodeURIComponent('{__name__=~".+"}');

function range(i: number, expression: string, step: string): Shot {
  const end = Math.floor(Date.now() / 1_000);
  const query = encodeURIComponent(expression);
  return get(
    '/api/v1/query_range',
    `query=${query}&start=${end - 9_000 - (i % 900)}&end=${end}&step=${step}`,
  );
}

const prometheusAttacks: readonly Attack[] = [
  {
    name: 'label-names',
    door: 'prometheus',
    prepare: async (target) => (signal) =>
      flood(signal, 2, (round) => {
        const names = remoteWrite(10_000, (i) => ({ job: 'names', [`n${round}_${i}`]: 'v' }));
        return send(target, round % 4 === 0 ? { path: '/api/v1/labels' } : names, signal);
      }),
  },
  {
    name: 'label-values',
    door: 'prometheus',
    prepare: async (target) => {
      const long = 'v'.repeat(3_900);
      return shooting(target, 2, (round) =>
        remoteWrite(4_000, (i) => ({ job: `${long}${round}_${i}` })),
      );
    },
  },
  {
    name: 'new-series-small-pushes',
    door: 'prometheus',
    prepare: async (target) =>
      shooting(target, 16, (i) => remoteWrite(50, (j) => ({ job: 'churn', pod: `p${i}_${j}` }))),
  },
  {
    name: 'small-pushes-flood',
    door: 'prometheus',
    prepare: async (target) =>
      shooting(target, 64, (i) =>
        remoteWrite(20, (j) => ({ job: 'flood', pod: `${i % 64}_${j}` })),
      ),
  },
  planted('series-lists', 200, () => get('/api/v1/series', `match[]=${everything}`)),
  planted('values-lists', 64, () => ({ path: '/api/v1/label/pod/values' })),
  planted('label-patterns', 16, (i) => {
    const pattern = `{pod=~"(1|2|12)*(${'1?'.repeat(100)})x${i}",pod!~".*1.*2${i}"}`;
    return get('/api/v1/series', `match[]=${encodeURIComponent(pattern)}`);
  }),
  planted('ranges-with-tiny-steps', 64, (i) =>
    range(i, 'sum(rate({__name__=~".+"}[5m])) by (pod)', '1'),
  ),
  planted('merges', 64, (i) => range(i, `topk(10, {__name__=~".+"} * ${i})`, '15')),
  planted('exports', 32, () => get('/federate', `match[]=${everything}`)),
  planted('broken-queries', 64, (i) => range(i, '('.repeat(14_000), '15')),
  planted('status-pages', 64, (i) => ({
    path: ['/api/v1/status/tsdb', '/api/v1/status/config', '/graph', '/api/v1/metadata'][i % 4],
  })),
  {
    name: 'abandoned-questions',
    door: 'prometheus',
    prepare: async (target) => (signal) =>
      flood(signal, 32, async (i) => {
        const gone = new AbortController();
        const timer = setTimeout(() => gone.abort(), 5 + (i % 60));
        await send(target, range(i, 'sum(rate({__name__=~".+"}[5m])) by (pod)', '1'), gone.signal);
        clearTimeout(timer);
      }),
  },
  {
    name: 'gzip-bombs',
    door: 'prometheus',
    prepare: async (target) => {
      // A snappy block that claims to expand to 1 GiB, and only copies one byte again and again.
      const copies = Buffer.alloc(3 * 1_000_000, Buffer.from([0xfe, 1, 0]));
      const body = Buffer.concat([Buffer.from([0x80, 0x80, 0x80, 0x80, 4, 0, 0x61]), copies]);
      const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' };
      return shooting(target, 32, () => ({ path: '/api/v1/write', headers, body }));
    },
  },
  {
    name: 'target-lists',
    door: 'prometheus',
    server: { config: () => manyTargets(20_000) },
    prepare: async (target) => shooting(target, 32, () => ({ path: '/api/v1/targets' })),
  },
];

/** Pushes profiles of one shape to Pyroscope in a loop. */
function ingesting(name: string, shape: Omit<Shape, 'salt'>, atOnce = 2): Attack {
  return {
    name,
    door: 'pyroscope',
    prepare: async (target) => {
      const bodies = [0, 1, 2].map((i) => makeGzippedPprof({ ...shape, salt: `${name}${i}` }));
      return shooting(target, atOnce, (i) => ingest(name, bodies[i % bodies.length]));
    },
  };
}

function ingest(app: string, body: Uint8Array, labels = ''): Shot {
  const now = Math.floor(Date.now() / 1_000);
  const name = encodeURIComponent(`${app}${labels}`);
  return { path: `/ingest?name=${name}&format=pprof&from=${now - 10}&until=${now}`, body };
}

async function plantServices(target: Target): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    const body = makeGzippedPprof(ordinaryShape(`fill${i % 6}`));
    await send(target, ingest('shop', body, `{pod=p${i}}`));
  }
}

const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const plain = { samples: 1_000, depth: 8, functions: 500 };

const pyroscopeAttacks: readonly Attack[] = [
  ingesting('numeric-labels', { ...plain, samples: 1_500_000, depth: 1, label: 'number' }),
  ingesting('text-labels', { ...plain, samples: 400_000, depth: 1, label: 'text' }),
  ingesting('deep-stacks', { samples: 2_000, depth: 8_192, functions: 50_000 }),
  ingesting('wide-stacks', { samples: 500_000, depth: 12, functions: 200_000 }),
  ingesting('many-functions', { samples: 10, depth: 8, functions: 1_000_000 }),
  ingesting('normal-pushes-at-once', { samples: 30_000, depth: 30, functions: 6_000 }, 50),
  ingesting('small-pushes-flood', { samples: 50, depth: 24, functions: 900 }, 64),
  {
    name: 'label-names',
    door: 'pyroscope',
    prepare: async (target) => {
      const body = makeGzippedPprof({ samples: 1, depth: 1, functions: 1, salt: 'tiny' });
      return shooting(target, 64, (i) => ingest('names', body, `{n${i}=v}`));
    },
  },
  {
    name: 'gzip-bombs',
    door: 'pyroscope',
    prepare: async (target) => {
      const part = gzipSync(Buffer.alloc(16 << 20));
      const bomb = Buffer.concat(Array.from({ length: 64 }, () => part));
      return shooting(target, 32, () => ingest('bombs', bomb));
    },
  },
  {
    name: 'merges',
    door: 'pyroscope',
    prepare: async (target) => {
      await plantServices(target);
      const query = encodeURIComponent(`${type}{service_name="shop"}`);
      return shooting(target, 64, (i) =>
        get(
          '/pyroscope/render',
          `query=${query}&from=now-${60 + (i % 500)}m&until=now&max-nodes=100000`,
        ),
      );
    },
  },
];

export const peerAttacks: readonly Attack[] = [...prometheusAttacks, ...pyroscopeAttacks];
