// Tests that pushed files get the same profile names as scraped ones, and that their counts are
// interpreted as the sender means them.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { cpuFile } from '../../../src/formats/gperftools/testing/cpu-file.ts';
import { startFilledServer } from '../../support/filled-server.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { gzippedPprof, type TestProfile } from '../../support/profiles/pprof-builder.ts';

const server = await startFilledServer([], async () => undefined);
after(() => server.stop());

const testdata = new URL('../../../src/formats/pprof/testdata/', import.meta.url).pathname;
const timeNanos = BigInt(Date.now() - 60_000) * 1_000_000n;

/** Pushes a body with these parameters; returns the status and the body of the answer. */
async function push(
  body: Uint8Array | string,
  parameters: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const content = typeof body === 'string' ? body : Uint8Array.from(body);
  const answer = await fetch(`http://${server.address}/api/v1/push?${parameters}`, {
    method: 'POST',
    body: content,
  });
  return { status: answer.status, text: await answer.text() };
}

async function pushForName(body: Uint8Array | string, parameters = 'job=names'): Promise<string> {
  const { status, text } = await push(body, parameters);
  assert.equal(status, 200, text);
  return JSON.parse(text).profiles[0].name;
}

function encodeProfile(
  types: string,
  period: readonly [string, string],
  leaf = 'main',
): Uint8Array<ArrayBuffer> {
  const sampleTypes = types.split(' ').map((text): readonly [string, string] => {
    const [type, unit] = text.split(':');
    return [type, unit];
  });
  const values = sampleTypes.map(() => 1n);
  const durationNanos = period[0] === 'contentions' ? 0n : 1_000_000_000n;
  const profile: TestProfile = {
    sampleTypes,
    periodType: period,
    period: 1n,
    timeNanos,
    durationNanos,
    samples: [[`main;${leaf}`, ...values]],
  };
  return new Uint8Array(gzippedPprof(profile));
}

test('a CPU profile of gperftools has cores if its time is given, and the answer says so', async () => {
  const body = cpuFile([[3, 0x1010, 0x2020]], '');
  const pushForNote = async (times: string): Promise<unknown> => {
    const { status, text } = await push(body, `job=gperftools${times}`);
    assert.equal(status, 200, text);
    return JSON.parse(text).note;
  };
  assert.match(
    String(await pushForNote('')),
    /does not say how long was profiled: give from and until/,
  );
  assert.equal(await pushForNote('&from=now-10s&until=now'), undefined);
});

test('profiles of Go that wait are told apart by the functions that wait', async () => {
  for (const name of ['mutex', 'block', 'heap', 'cpu']) {
    const path = join(testdata, `go-${name}.pb.gz`);
    const { out, err } = await runParcatool(
      'push',
      path,
      '--job=locks',
      `--server=${server.address}`,
    );
    assert.equal(err, '');
    const want = { heap: 'memory', cpu: 'process_cpu' }[name] ?? name;
    assert.ok(out.startsWith(`pushed ${path} as ${want}{job="locks"}`), out);
  }
  const stripped = encodeProfile(
    'contentions:count delay:nanoseconds',
    ['contentions', 'count'],
    'f',
  );
  const { status, text } = await push(stripped, 'job=names');
  assert.equal(status, 400);
  assert.match(text, /name it mutex or block \(__name__=, parcatool push --name\)/);
  assert.equal(await pushForName(stripped, 'job=names&__name__=block'), 'block');
  const path = join(server.scratchPath, 'waits.pb.gz');
  await writeFile(path, stripped);
  const given = await runParcatool(
    'push',
    path,
    '--job=locks',
    '--name=mutex',
    `--server=${server.address}`,
  );
  assert.match(given.out, /as mutex\{job="locks"\}/);
});

test('profiles of Node and Python are process_cpu and memory, as when they are scraped', async () => {
  const node = encodeProfile('sample:count wall:nanoseconds cpu:nanoseconds', [
    'wall',
    'nanoseconds',
  ]);
  assert.equal(await pushForName(node), 'process_cpu');
  const python = encodeProfile('sample:count CPU:nanoseconds', ['CPU', 'nanoseconds']);
  assert.equal(await pushForName(python), 'process_cpu');
  const heap = encodeProfile('inuse_objects:count inuse_space:bytes', ['inuse_space', 'bytes']);
  assert.equal(await pushForName(heap), 'memory');
  assert.equal(
    await pushForName(encodeProfile('objects:count space:bytes', ['space', 'bytes'])),
    'memory',
  );
  assert.equal(
    await pushForName(encodeProfile('samples:count', ['cpu', 'nanoseconds'])),
    'process_cpu',
  );
  const wall = encodeProfile('sample:count wall:nanoseconds', ['wall', 'nanoseconds']);
  assert.equal(await pushForName(wall), 'wall');
  const fgprof = encodeProfile('samples:count time:nanoseconds', ['time', 'nanoseconds']);
  assert.equal(await pushForName(fgprof), 'fgprof');
});

test("Pyroscope's clients get the same names", async () => {
  const block = await readFile(join(testdata, 'go-block.pb.gz'));
  const lock = encodeProfile('contentions:count delay:nanoseconds', ['contentions', 'count'], 'f');
  for (const [content, shown, want] of [
    [block, 'lock_samples', 'block'],
    [lock, 'mutex_count', 'mutex'],
    [lock, 'block_count', 'block'],
  ] as const) {
    const form = new FormData();
    form.append('profile', new Blob([Uint8Array.from(content)]), 'profile.pprof');
    const config = { contentions: { units: 'lock_samples', 'display-name': shown } };
    form.append('sample_type_config', new Blob([JSON.stringify(config)]), 'config.json');
    const app = `waits-${shown}`;
    const answer = await fetch(`http://${server.address}/ingest?name=${app}`, {
      method: 'POST',
      body: form,
    });
    assert.equal(answer.status, 200, await answer.text());
    const { out, err } = await runParcatool(
      'labels',
      'service_name',
      `--type=${want}:delay`,
      `--server=${server.address}`,
    );
    assert.ok(out.split('\n').includes(app), `${shown}: ${out} ${err}`);
  }
});

const speedscope = (unit: string): string =>
  JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: [{ name: 'main' }] },
    profiles: [
      { type: 'sampled', name: '', unit, startValue: 0, endValue: 1, samples: [[0]], weights: [3] },
    ],
  });
const cpuProfileOfV8 = JSON.stringify({
  nodes: [{ id: 1, callFrame: { functionName: 'main', url: '' }, children: [] }],
  samples: [1, 1],
  timeDeltas: [0, 1_000],
  startTime: 0,
  endTime: 1_000,
});
const perf = (event: string, period: string): string =>
  `iperf 1234/1235 [001] 100.000100: ${period} ${event}: \n\t    5583d main (/bin/iperf)\n\n`.repeat(
    2,
  );

test('a rate is used, or refused where the values have a meaning', async () => {
  const totals: Record<string, string> = {};
  const ask = async (job: string, body: string, query: string): Promise<void> => {
    const path = `job=${job}&rate=100&from=now-1m&until=now-50s`;
    const { status, text } = await push(body, path);
    assert.equal(status, 200, `${job}: ${text}`);
    const { out, err } = await runParcatool(
      'top',
      `${query}{job="${job}"}`,
      '-o=json',
      `--server=${server.address}`,
    );
    assert.equal(err, '', job);
    totals[job] = JSON.parse(out).total;
  };
  await ask('collapsed', 'main;work 3\n', 'process_cpu:cpu');
  await ask('perf', perf('cpu-clock', ''), 'process_cpu:cpu');
  await ask('cycles', perf('cycles', '123456'), 'process_cpu:cpu');
  await ask('speedscope', speedscope('none'), 'process_cpu:cpu');
  assert.deepEqual(totals, {
    collapsed: '30000000',
    perf: '20000000',
    cycles: '20000000',
    speedscope: '30000000',
  });
  const refused = async (body: Uint8Array | string, parameter: string): Promise<void> => {
    const { status, text } = await push(body, `job=refused&${parameter}`);
    assert.equal(status, 400, text);
    assert.match(text, /(?:rate|type): is for counts without a meaning, and .* says? /);
  };
  const pprof = encodeProfile('cpu:nanoseconds', ['cpu', 'nanoseconds']);
  for (const parameter of ['rate=100', 'type=alloc_space:bytes']) {
    await refused(pprof, parameter);
    await refused(gunzipSync(pprof), parameter);
    await refused(speedscope('seconds'), parameter);
    await refused(speedscope('bytes'), parameter);
    await refused(cpuProfileOfV8, parameter);
    await refused(perf('cpu-clock', '10101010'), parameter);
  }
});

test('perf script without periods is counts, never nanoseconds', async () => {
  const { status, text } = await push(perf('cpu-clock', ''), 'job=iperf&from=now-1m&until=now-50s');
  assert.equal(status, 200, text);
  const { out } = await runParcatool(
    'top',
    'process_cpu{job="iperf"}',
    '-o=json',
    `--server=${server.address}`,
  );
  const { total, unit } = JSON.parse(out);
  assert.deepEqual([total, unit], ['2', 'count']);
});

test("names of Pyroscope's applications tell whether times ran or waited, as in Pyroscope", async () => {
  const types = async (app: string, format: string, body: string): Promise<string[]> => {
    const range = `from=now-1m&until=now-50s&sampleRate=100`;
    const path = `/ingest?name=${app}&format=${format}&${range}`;
    const answer = await fetch(server.url + path, { method: 'POST', body });
    assert.equal(answer.status, 200, await answer.text());
    const [service] = app.split('.');
    const asked = await fetch(`${server.url}/querier.v1.QuerierService/Series`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        start: String(Date.now() - 600_000),
        end: String(Date.now()),
        matchers: [`{service_name="${service}"}`],
        labelNames: ['__profile_type__'],
      }),
    });
    const { labelsSet } = (await asked.json()) as {
      labelsSet: { labels: { value: string }[] }[];
    };
    return labelsSet.map(({ labels: [{ value }] }) => value);
  };
  const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
  const wall = 'wall:wall:nanoseconds:cpu:nanoseconds';
  assert.deepEqual(await types('ran.cpu', 'folded', 'main 3\n'), [cpu]);
  assert.deepEqual(await types('waited.wall', 'folded', 'main 3\n'), [wall]);
  assert.deepEqual(await types('timed', 'speedscope', speedscope('seconds')), [cpu]);
  assert.deepEqual(await types('timedWall.wall', 'speedscope', speedscope('seconds')), [wall]);
  assert.deepEqual(await types('countedWall.wall', 'speedscope', speedscope('none')), [wall]);
});

test('the name of a profiler becomes a label, as in Pyroscope, unless there is one', async () => {
  for (const [app, spy] of [
    ['spied.cpu', 'gospy'],
    ['named.cpu{pyroscope_spy=mine}', 'gospy'],
    ['plain.cpu', ''],
  ]) {
    const parameters = new URLSearchParams({ name: app, spyName: spy, from: 'now-1m' });
    const answer = await fetch(`${server.url}/ingest?${parameters}`, {
      method: 'POST',
      body: 'main 3\n',
    });
    assert.equal(answer.status, 200, await answer.text());
  }
  const { out } = await runParcatool(
    'labels',
    'pyroscope_spy',
    '--type=process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
    `--server=${server.address}`,
  );
  assert.deepEqual(out.trim().split('\n').sort(), ['gospy', 'mine']);
});
