// Attacks with profiles that are valid, but large in one way.
import { gzipSync } from 'node:zlib';
import type { Attack, Target } from '../attack.ts';
import { makeGzippedPprof, ordinaryShape, makePprof, type Shape } from '../bodies/pprof.ts';
import { writeRawBytes } from '../bodies/write-raw.ts';
import { flood, send, shooting } from '../client.ts';
import { calling, frame, writeRaw } from '../grpc.ts';

/** Pushes profiles of one shape over gRPC in a loop, each with new names. */
function pushing(
  name: string,
  shape: Omit<Shape, 'salt'>,
  { atOnce = 2, bodies = 3 } = {},
): Attack {
  return {
    name,
    door: 'parca',
    prepare: async (target) => {
      const frames = Array.from({ length: bodies }, (_, i) => {
        const profile = makeGzippedPprof({ ...shape, salt: `${name}${i}` });
        return frame(writeRawBytes([{ labels: { __name__: 'process_cpu', job: name }, profile }]));
      });
      return calling(target, atOnce, writeRaw, (i) => frames[i % frames.length]);
    },
  };
}

/** Sends all bodies at the same time, and sends them again when all are answered. */
async function inWaves(
  target: Target,
  signal: AbortSignal,
  shots: readonly { readonly path: string; readonly body: Uint8Array }[],
): Promise<void> {
  await flood(signal, 1, () => Promise.all(shots.map((shot) => send(target, shot, signal))));
}

const plain = { samples: 1_000, depth: 8, functions: 500 };

export const pushAttacks: readonly Attack[] = [
  // A body of 2.4 MB that becomes 1.5 million labels.
  pushing('numeric-labels', { ...plain, samples: 1_500_000, depth: 1, label: 'number' }),
  pushing('numeric-labels-small', { ...plain, samples: 150_000, depth: 1, label: 'number' }),
  pushing('text-labels', { ...plain, samples: 400_000, depth: 1, label: 'text' }),
  pushing('sample-label-names', { ...plain, samples: 100_000, depth: 1, label: 'name' }),
  pushing('deep-stacks', { samples: 2_000, depth: 8_192, functions: 50_000 }),
  pushing('deep-stacks-small', { samples: 300, depth: 8_192, functions: 9_000 }),
  pushing('wide-stacks', { samples: 500_000, depth: 12, functions: 200_000 }),
  pushing('many-functions', { samples: 10, depth: 8, functions: 1_000_000 }),
  pushing('long-names', { samples: 2_000, depth: 8, functions: 5_000, nameLength: 4_000 }),
  pushing('inlined-lines', { samples: 5_000, depth: 20, functions: 3_000, inlined: 500 }),
  pushing('many-mappings', { samples: 1_000, depth: 8, functions: 300_000, mappings: 300_000 }),
  {
    name: 'normal-pushes-at-once',
    door: 'own',
    // Sends fifty simultaneous pushes of 30,000 samples each.
    prepare: async (target) => {
      const shots = Array.from({ length: 50 }, (_, i) => {
        const shape = { samples: 30_000, depth: 30, functions: 6_000, salt: `normal${i % 10}` };
        const body = makeGzippedPprof({ ...shape, timeMillis: Date.now() - i * 1_000 });
        return { path: `/api/v1/push?job=normal${i}`, body };
      });
      return (signal) => inWaves(target, signal, shots);
    },
  },
  {
    name: 'normal-pushes-small',
    door: 'own',
    prepare: async (target) => {
      const shots = Array.from({ length: 12 }, (_, i) => {
        const shape = { samples: 3_000, depth: 30, functions: 1_500, salt: `small${i % 4}` };
        const body = makeGzippedPprof({ ...shape, timeMillis: Date.now() - i * 1_000 });
        return { path: `/api/v1/push?job=normal${i}`, body };
      });
      return (signal) => inWaves(target, signal, shots);
    },
  },
  {
    name: 'small-pushes-flood',
    door: 'parca',
    prepare: async (target) => {
      const frames = Array.from({ length: 64 }, (_, i) => {
        const profile = makeGzippedPprof({ ...ordinaryShape('flood'), samples: 50 });
        const labels = { __name__: 'process_cpu', job: 'flood', instance: String(i) };
        return frame(writeRawBytes([{ labels, profile }]));
      });
      return calling(target, 64, writeRaw, (i) => frames[i % frames.length]);
    },
  },
  {
    name: 'profile-types',
    door: 'own',
    // Each push has a new profile type; a list of types must go through all types.
    prepare: async (target) => {
      const body = (i: number): Uint8Array =>
        makePprof({ samples: 2, depth: 2, functions: 2, salt: 't', type: `type${i}` });
      return shooting(target, 16, (i) =>
        i % 50 === 0
          ? { path: '/api/profiles/types' }
          : { path: `/api/v1/push?job=types&__name__=t${i}`, body: body(i) },
      );
    },
  },
  {
    name: 'scattered-times',
    door: 'own',
    // Pushes profiles spread over ten years, so that the head has a part for every two hours.
    prepare: async (target) =>
      shooting(target, 16, (i) => ({
        path: `/api/v1/push?job=scattered&i=${i % 100}`,
        body: makePprof({
          samples: 20,
          depth: 8,
          functions: 40,
          salt: 's',
          timeMillis: Date.now() - (i % 40_000) * 7_200_000,
        }),
      })),
  },
  {
    name: 'old-pushes-again',
    door: 'own',
    // Pushes the same profiles again and again; the server stores them once.
    prepare: async (target) => {
      const bodies = Array.from({ length: 4 }, (_, i) =>
        makeGzippedPprof({ ...ordinaryShape(`again${i}`), samples: 20_000, functions: 5_000 }),
      );
      return shooting(target, 8, (i) => ({
        path: '/api/v1/push?job=again',
        body: bodies[i % bodies.length],
      }));
    },
  },
  {
    name: 'mangled-names',
    door: 'own',
    prepare: async (target) => {
      const nested = (i: number): string => `_ZN1a${'I'.repeat(40)}i${'E'.repeat(40)}${i}Ev`;
      const lines = Array.from({ length: 40_000 }, (_, i) => `${nested(i)};_Z${i}fS0_S0_ 1`);
      const body = gzipSync(lines.join('\n'));
      return shooting(target, 2, () => ({ path: '/api/v1/push?job=mangled', body }));
    },
  },
];
