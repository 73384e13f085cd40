// Tests what is stored of agents' Arrow writes: with WriteArrow, and with Write in two steps.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import * as arrow from 'apache-arrow';
import { loadLz4Frames } from '../../../src/formats/arrow/lz4-frame.ts';
import {
  encodeRecord,
  type RecordFrame,
  type RecordProfile,
} from '../../../src/formats/parca-arrow/encode-record.ts';
import {
  encodeLocations,
  encodeSamples,
} from '../../../src/formats/parca-arrow/testing/version-1.ts';
import { makeElf, makeNote, makeSymbols } from '../../../src/symbolize/testing/make-elf.ts';
import { listAgents, writeArrow, writeInTwoSteps } from '../../support/arrow-client.ts';
import { uploadDebuginfo } from '../../support/debuginfo-client.ts';
import { connect } from '../../support/grpc-client.ts';
import { getText } from '../../support/json-api.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
const client = connect(server.address);
after(async () => {
  client.close();
  await server.stop();
  await scratch.remove();
});

const timeNanos = 1_790_000_000_000_000_000n;
const millis = Number(timeNanos / 1_000_000n);
const range = {
  start: new Date(millis - 60_000).toISOString(),
  end: new Date(millis + 60_000).toISOString(),
};
const head = {
  name: 'parca_agent',
  sampleType: { type: 'samples', unit: 'count' },
  periodType: { type: 'cpu', unit: 'nanoseconds' },
  period: 52_631_578n,
  durationNanos: 1_000_000_000n,
};
const type = 'parca_agent:samples:count:cpu:nanoseconds:delta';
const line = { fileName: 'a.c', startLine: 1, line: 7, column: 0 };

function frame(systemName: string, mappingFile: string): RecordFrame {
  return { mappingFile, buildId: '', address: 0n, lines: [{ ...line, systemName }] };
}

const script = frame('handle /srv/app.js', 'app.js');
const kernel = frame('do_syscall_64', '[kernel.kallsyms]');

function profile(
  comm: string,
  frames: readonly RecordFrame[],
  value: bigint,
  at = timeNanos,
): RecordProfile {
  const labels = [
    { name: 'comm', value: comm },
    { name: 'cpu', value: '3' },
    { name: 'node', value: 'n1' },
  ];
  return { ...head, timeNanos: at, samples: [{ labels, frames, value }] };
}

/** Returns the stacks of a query, root first, sorted. */
async function stacks(matchers: string): Promise<string[]> {
  const parameters = new URLSearchParams({
    query: `${type}{${matchers}}`,
    ...range,
    format: 'collapsed',
  });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.trim().split('\n').sort();
}

async function send(profiles: readonly RecordProfile[]): Promise<void> {
  await writeArrow(client, encodeRecord(profiles, await loadLz4Frames()));
}

test('WriteArrow stores what an agent sends, and a retry changes nothing', async () => {
  const profiles = [
    profile('v2', [kernel, script], 3n),
    profile('v2', [script], 2n, timeNanos + 1n),
    profile('other', [script], 9n),
  ];
  const values = ['handle /srv/app.js 2', 'handle /srv/app.js;do_syscall_64 3'];
  await send(profiles);
  assert.deepEqual(await stacks('comm="v2"'), values);
  await send(profiles);
  assert.deepEqual(await stacks('comm="v2"'), values);
  assert.deepEqual(await stacks('comm="v2", node="n1", cpu="3"'), values);
  const labels = JSON.parse(await getText(server.url, '/profiles/labels', range)) as unknown;
  assert.deepEqual(labels, { labelNames: ['comm', 'cpu', 'node'], warnings: [] });
  const types = await getText(server.url, '/profiles/types', {});
  assert.match(types, /"name":"parca_agent","sampleType":"samples","sampleUnit":"count"/);
});

test('both methods list their agents', async () => {
  assert.deepEqual(await listAgents(client), ['n1127.0.0.1']);
});

test('each time of a series is a profile of its own', async () => {
  const times = [0n, 1_000_000n, 52_000_000n];
  await send(times.map((after) => profile('times', [script], 1n, timeNanos + after)));
  const single = async (after: bigint): Promise<string> => {
    const text = await getText(server.url, '/profiles/query', {
      mode: 'MODE_SINGLE_UNSPECIFIED',
      reportType: 'REPORT_TYPE_TOP',
      'single.query': `${type}{comm="times"}`,
      'single.time': new Date(millis + Number(after / 1_000_000n)).toISOString(),
    });
    return (JSON.parse(text) as { total: string }).total;
  };
  for (const after of times) assert.equal(await single(after), '1');
  assert.deepEqual(await stacks('comm="times"'), ['handle /srv/app.js 3']);
});

test('Write asks for stacks, takes them, and stores the samples', async () => {
  const samples = encodeSamples(
    [
      { id: '\xff\xfe1', labels: { comm: 'v1', node: 'n2' }, value: 4n },
      { id: '\xff\xfd2', labels: { comm: 'v1', node: 'n2', cpu: '1' }, value: 5n },
      { id: '\xff\xfe1', labels: { comm: 'v1', node: 'n2' }, value: 1n },
    ],
    timeNanos,
  );
  const locations = encodeLocations([
    ['\xff\xfe1', [kernel, script]],
    ['\xff\xfd2', [script]],
  ]);
  let asked: unknown;
  const answer = (record: Uint8Array): Uint8Array => {
    const table = arrow.tableFromIPC(record);
    assert.equal(table.schema.metadata.get('parca_write_schema_version'), 'v1');
    asked = table.toArray().map((row) => Buffer.from(row.stacktrace_id).toString('latin1'));
    return locations;
  };
  const values = ['handle /srv/app.js 5', 'handle /srv/app.js;do_syscall_64 5'];
  await writeInTwoSteps(client, samples, answer);
  assert.deepEqual(asked, ['\xff\xfe1', '\xff\xfd2']);
  assert.deepEqual(await stacks('comm="v1"'), values);
  await writeInTwoSteps(client, samples, answer);
  assert.deepEqual(await stacks('comm="v1"'), values);
  assert.deepEqual(await listAgents(client), ['n1127.0.0.1', 'n2127.0.0.1']);
});

test('a frame without lines gets its names when its file is uploaded', async () => {
  const buildId = '00112233445566778899aabbccddeeff00112233';
  const at = (address: bigint): RecordFrame => ({
    mappingFile: '/app/server',
    buildId,
    address,
    lines: [],
  });
  await send([profile('native', [at(0x2020n), at(0x1010n)], 1n)]);
  const unnamed = ['0x1010 (server);0x2020 (server) 1'];
  assert.deepEqual(await stacks('comm="native"'), unnamed);
  const note = makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex')));
  const elf = makeElf([
    { name: '.note.gnu.build-id', type: 7, content: note },
    ...makeSymbols('.symtab', 2, [
      { name: 'main', address: 0x1000, size: 0x80 },
      { name: '_ZN5spinAC1Ev', address: 0x2000, size: 0x100 },
    ]),
  ]);
  await uploadDebuginfo(client, { buildId, hash: 'a' }, elf);
  let named = unnamed;
  for (let tries = 0; tries < 400 && named[0].includes('0x'); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    named = await stacks('comm="native"');
  }
  assert.equal(named.length, 1);
  assert.match(named[0], /^main;.*spin.* 1$/);
});

test('bad records are refused with a reason, and nothing of them is stored', async () => {
  const good = encodeRecord([profile('bad', [script], 1n)], undefined);
  const refuse = (bytes: Uint8Array, code: number, details: RegExp): Promise<void> =>
    assert.rejects(writeArrow(client, bytes), { code, details });
  await refuse(
    Buffer.from('not arrow at all'),
    3,
    /^cannot read Arrow stream: no message at byte 0$/,
  );
  await refuse(good.subarray(0, 100), 3, /^cannot read Arrow stream: it ends within a message/);
  const colon = profile('a', [script], 1n);
  const badName = encodeRecord([{ ...colon, name: 'a:b' }], undefined);
  await refuse(badName, 3, /its name "a:b" has a colon/);
  const sample = { labels: [{ name: 'not-a-label', value: 'x' }], frames: [script], value: 1n };
  const badLabel = encodeRecord([{ ...colon, samples: [sample] }], undefined);
  await refuse(badLabel, 3, /^invalid label name: not-a-label$/);
  const samples = encodeSamples([{ id: 'a', labels: { comm: 'bad' }, value: 1n }], timeNanos);
  const locations = encodeLocations([['b', [script]]]);
  await assert.rejects(
    writeInTwoSteps(client, samples, () => locations),
    { code: 3, details: /missing stacktrace ID/ },
  );
  await assert.rejects(
    writeInTwoSteps(client, samples, () => undefined),
    { code: 3, details: 'cannot write profiles: the caller sent no locations' },
  );
  await assert.rejects(
    writeInTwoSteps(client, locations, () => undefined),
    { code: 3, details: 'missing column "value"' },
  );
  const values = await getText(server.url, '/profiles/labels/comm/values', range);
  assert.ok(!values.includes('bad'), values);
});
