// Tests of `parcatool users` against a real server.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFilledServer } from '../../support/filled-server.ts';
import { runParcatool, runParcatoolWith } from '../../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
const range = ['--from=2026-01-01T12:00:00Z', '--to=2026-01-01T13:00:00Z'];

const server = await startFilledServer([], async (push) => {
  const at = (second: number): bigint => BigInt(noon + second * 1_000) * 1_000_000n;
  const minutes = Array.from({ length: 60 }, (_, i) => i);
  for (const minute of minutes) {
    const version = minute < 30 ? '2.14.1' : '2.15.0';
    const decode = minute < 30 ? 500n : 2_000n;
    const samples = [
      ['main;encoding/json.Unmarshal', decode],
      ['main;encoding/json.Unmarshal;encoding/json.(*decodeState).value', 500n],
      ['main;sort.Sort', 1_000n],
    ] as const;
    const profile = cpuProfile({ timeNanos: at(minute * 60), samples });
    await push({ __name__: 'process_cpu', job: 'shop', version }, gzippedPprof(profile));
  }
  // An agent's profiles contain counts. The agent profiles the shop, too.
  for (const [labels, count] of [
    [{ job: 'shop' }, 7n],
    [{ executable: 'etl' }, 250n],
  ] as const) {
    const profile = {
      sampleTypes: [['samples', 'count']] as const,
      periodType: ['cpu', 'nanoseconds'] as const,
      period: 10_000_000n,
      timeNanos: at(0),
      durationNanos: 10_000_000_000n,
      samples: [
        ['start;encoding/json.Marshal', count],
        ['start', count],
      ] as const,
    };
    await push({ __name__: 'parca_agent', ...labels }, gzippedPprof(profile));
  }
  const heap = {
    sampleTypes: [['inuse_space', 'bytes']] as const,
    periodType: ['space', 'bytes'] as const,
    period: 524_288n,
    durationNanos: 0n,
    samples: [['main;encoding/json.Unmarshal', 3_145_728n]] as const,
  };
  for (const minute of [0, 1]) {
    const profile = gzippedPprof({ ...heap, timeNanos: at(minute * 60) });
    await push({ __name__: 'memory', job: 'shop' }, profile);
  }
});
after(() => server.stop());

function ask(...args: string[]) {
  return runParcatool('users', ...args, ...range, `--server=${server.address}`);
}

test('services and versions by cores, with their shares and history', async () => {
  assert.deepEqual(await ask('encoding/json.Unmarshal'), {
    code: 0,
    err: '',
    out: [
      'function encoding/json.Unmarshal',
      '2026-01-01T12:00:00Z to 2026-01-01T13:00:00Z, 1 service',
      '',
      'cores  share                         history  version  service',
      ` 2.50  71.4%  ${' '.repeat(15)}${'█'.repeat(15)}   2.15.0  job=shop`,
      ` 1.00  50.0%  ${'█'.repeat(15)}${' '.repeat(15)}   2.14.1  job=shop`,
      '',
    ].join('\n'),
  });
});

test('a package or a pattern, of all kinds of CPU profiles; one kind counts for a service', async () => {
  const rows = async (...args: string[]): Promise<unknown[]> => {
    const { users, more } = JSON.parse((await ask(...args, '-o', 'json')).out);
    return [
      ...users.map(({ service, version, total, profileType }: Record<string, never>) => [
        Object.values(service ?? {}).join(' '),
        Object.values(version ?? {}).join(' '),
        total,
        String(profileType).split(':')[0],
      ]),
      more,
    ];
  };
  const [newer, older, etl] = [
    ['job shop', 'version 2.15.0', '750000000000', 'process_cpu'],
    ['job shop', 'version 2.14.1', '300000000000', 'process_cpu'],
    ['executable etl', '', '2500000000', 'parca_agent'],
  ];
  const all = [newer, older, etl, 0];
  assert.deepEqual(await rows('encoding/json', '--kind=package'), all);
  assert.deepEqual(await rows('^encoding/', '--kind=pattern'), all);
  const own = ['encoding/json', '--kind=package', '--query=process_cpu'];
  assert.deepEqual(await rows(...own), [newer, older, 0]);
  assert.deepEqual(await rows(...own, '--top=1'), [newer, 1]);
});

test('averages of memory', async () => {
  const { out } = await ask('encoding/json.Unmarshal', '--query=memory');
  assert.deepEqual(out.split('\n').slice(3), [
    'average   share                         history  version  service',
    `3.00MiB  100.0%  █${' '.repeat(29)}        -  job=shop`,
    '',
  ]);
});

test('what nobody uses, with the nearest names', async () => {
  const check = async (args: string[], code: number, message: string): Promise<void> => {
    assert.deepEqual(await ask(...args), { code, out: '', err: `parcatool: ${message}\n` });
  };
  const nobody = 'no service uses';
  await check(
    ['Unmarshal'],
    3,
    `${nobody} function "Unmarshal": the nearest are "encoding/json.Unmarshal"`,
  );
  await check(
    ['encoding/jsno', '--kind=package'],
    3,
    `${nobody} package "encoding/jsno": the nearest are "encoding/json", "sort"`,
  );
  await check(
    ['^Nowhere', '--kind=pattern'],
    3,
    `${nobody} pattern "^Nowhere": no function has a name that it matches`,
  );
  const query = 'process_cpu{job="shpo"}';
  await check(
    ['main', `--query=${query}`],
    3,
    `no profiles match ${query}: no profile has job="shpo", the nearest are "shop"`,
  );
  await check(['main', '--kind=file'], 2, '--kind must be function, package, pattern, not "file"');
  const mistake = await ask('main', '--query=cpu{');
  assert.match(mistake.err, /^parcatool: 1:5: expected /);
  const refused = await ask('(', '--kind=pattern');
  assert.match(refused.err, /^parcatool: .*cannot compile regular expression/);
});

test('the program itself prints the same', async () => {
  const args = ['users', 'sort.Sort', ...range, `--server=${server.address}`];
  const own = await runParcatool(...args);
  assert.equal(own.code, 0, own.err);
  assert.deepEqual(await runParcatoolWith({}, ...args), own);
});
