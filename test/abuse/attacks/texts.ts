// Attacks with profiles in text formats and JSON that are large, deeply nested, or made of many
// tiny parts.
import { gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { shooting } from '../client.ts';

/** Pushes bodies to a path, in a loop. */
function sending(
  name: string,
  path: string,
  bodies: () => readonly (Uint8Array | string)[],
  options: {
    readonly atOnce?: number;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Attack {
  const { atOnce = 2, headers = {} } = options;
  return {
    name,
    door: 'own',
    prepare: async (target) => {
      const made = bodies();
      return shooting(target, atOnce, (i) => ({ path, body: made[i % made.length], headers }));
    },
  };
}

const push = '/api/v1/push?job=texts';
const json = { 'content-type': 'application/json' };

/** Joins `count` strings; `textOf` returns the i-th. */
function join(count: number, textOf: (i: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, i) => textOf(i)).join(separator);
}

const speedscope = (events: number): string => {
  const list = join(
    events,
    (i) => `{"type":"${i % 2 ? 'C' : 'O'}","frame":${(i >> 1) % 9},"at":${i}}`,
    ',',
  );
  const frames = join(9, (i) => `{"name":"f${i}"}`, ',');
  return (
    `{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[${frames}]},` +
    `"profiles":[{"type":"evented","name":"p","unit":"milliseconds","startValue":0,` +
    `"endValue":${events},"events":[${list}]}]}`
  );
};

export const textAttacks: readonly Attack[] = [
  // A body of 9.75 MB that becomes two million lines.
  sending('collapsed-lines', push, () =>
    [0, 1].map((salt) => gzipSync(join(2_000_000, (i) => `m;w${salt}x${i % 977};f${i} 1`, '\n'))),
  ),
  sending('collapsed-lines-small', push, () =>
    [0, 1].map((salt) => gzipSync(join(150_000, (i) => `m;w${salt};f${i} 1`, '\n'))),
  ),
  sending(
    'collapsed-short-texts',
    push,
    () => [join(9_000, (i) => `main;short;f${i % 800} 1`, '\n')],
    {
      atOnce: 32,
    },
  ),
  sending('collapsed-one-line', push, () => [gzipSync(`${'a;'.repeat(20_000_000)}b 1`)]),
  sending('collapsed-deep-lines', push, () => [
    gzipSync(join(2_000, (i) => `${join(8_000, (j) => `f${(i * j) % 60_000}`, ';')} 1`, '\n')),
  ]),
  sending('perf-script', push, () => [
    gzipSync(
      join(
        120_000,
        (i) =>
          `prog ${i} [000] ${i}.5: 1 cpu-clock:\n\tffff${i} f${i}+0x1 (/bin/p${i % 99})\n\t1 main+0x2 (/bin/p)\n`,
        '\n',
      ),
    ),
  ]),
  sending('speedscope', push, () => [gzipSync(speedscope(1_500_000))], { headers: json }),
  sending('speedscope-many-at-once', push, () => [speedscope(5_000)], {
    atOnce: 32,
    headers: json,
  }),
  sending('json-brackets', push, () => ['['.repeat(60_000_000)], { headers: json }),
  sending(
    'json-brackets-small',
    '/api/profiles/writeraw',
    () => ['[{"a":'.repeat(100_000), `{"series":[${'{},'.repeat(900_000)}{}]}`],
    { headers: json, atOnce: 4 },
  ),
  sending(
    'json-long-keys',
    '/v1development/profiles',
    () => [`{"${'k'.repeat(30_000_000)}":"${'\\u0041'.repeat(5_000_000)}"}`],
    { headers: json },
  ),
  sending(
    'gzip-bombs',
    push,
    () => {
      const part = gzipSync(Buffer.alloc(16 << 20));
      const bomb = Buffer.concat(Array.from({ length: 64 }, () => part));
      return [bomb, gzipSync(bomb), gzipSync(gzipSync(bomb))];
    },
    { atOnce: 32 },
  ),
  sending(
    'gzip-bombs-below-limits',
    push,
    () => {
      // Expands to 190 times its size, which is just allowed.
      const unit = Buffer.alloc(250_000_000, 'main;f 1\n');
      return [gzipSync(unit.subarray(0, 60_000_000), { level: 1 })];
    },
    { atOnce: 8 },
  ),
  sending(
    'content-encodings',
    push,
    () => [gzipSync(gzipSync(gzipSync(Buffer.alloc(30_000_000, 'a;b 1\n'))))],
    {
      atOnce: 16,
      headers: { 'content-encoding': 'gzip, gzip, gzip' },
    },
  ),
  sending(
    'v8-cpu-profile',
    push,
    () => {
      const nodes = join(
        400_000,
        (i) =>
          `{"id":${i + 1},"callFrame":{"functionName":"f${i}","scriptId":"0","url":"","lineNumber":1,"columnNumber":1},"children":[${i + 2}]}`,
        ',',
      );
      return [
        gzipSync(
          `{"nodes":[${nodes}],"startTime":0,"endTime":9,"samples":[1,2],"timeDeltas":[1,1]}`,
        ),
      ];
    },
    { headers: json },
  ),
  {
    name: 'form-of-parts',
    door: 'own',
    prepare: async (target) => {
      const part = '--x\r\ncontent-disposition: form-data; name="profile"; filename="a"\r\n\r\n';
      const body = `${part}${'--\r\n-'.repeat(4_000_000)}\r\n--x--`;
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      return shooting(target, 4, () => ({
        path: '/ingest?name=forms&format=pprof',
        body,
        headers,
      }));
    },
  },
];
