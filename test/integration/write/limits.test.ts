// Tests every input limit: input above the limit is refused with an error that names the limit's
// flag, and the refusal is counted.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { decodeWriteRaw } from '../../../src/api/ingest/parca/decode-write-raw.ts';
import { AgentTable } from '../../../src/api/ingest/agent-table.ts';
import { ProfilePushes } from '../../../src/api/ingest/profile-pushes.ts';
import { writeInTwoSteps } from '../../../src/api/ingest/parca/write-arrow.ts';
import { parseJsonBytes } from '../../../src/base/text/json.ts';
import { createFakeClock } from '../../../src/base/fake/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { finishAtOnce } from '../../../src/base/pacer.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { seededRandom } from '../../../src/base/random.ts';
import {
  type InputLimitName,
  inputLimitTable,
  mapInputLimits,
  setInputLimits,
} from '../../../src/base/input-limits.ts';
import {
  encodeRecord,
  type RecordProfile,
} from '../../../src/formats/parca-arrow/encode-record.ts';
import { readRecord } from '../../../src/formats/parca-arrow/record-reader.ts';
import { openContent } from '../../../src/formats/gzip.ts';
import { PprofColumns } from '../../../src/formats/pprof/columns.ts';
import { decodePprof } from '../../../src/formats/pprof/decode.ts';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { createCardinality } from '../../../src/ingest/cardinality/cardinality.ts';
import { readSeries } from '../../../src/ingest/series.ts';
import { UploadReader } from '../../../src/ingest/upload-reader.ts';
import { Dictionary } from '../../../src/model/dictionary.ts';
import { writeArrow } from '../../support/arrow-client.ts';
import { connect, writeRawRequest } from '../../support/grpc-client.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const kibi = 1024;
const label = { name: 'aa', value: 'bb' };
const count = { type: 'samples', unit: 'count' };

/** Makes a profile with two of everything that is limited. */
function profile(): Uint8Array {
  const writer = new PprofWriter();
  const frames = [writer.frame({ name: 'f' }), writer.frame({ name: 'g' })];
  for (const value of [1n, 2n]) writer.sample(frames, [value], [['k', 'v']]);
  const header = { timeNanos: 1n, durationNanos: 1n, period: 1n, periodType: count };
  return writer.finish({ sampleTypes: [count], ...header });
}

/** Two Arrow profiles. */
const records = [1n, 2n].map((timeNanos): RecordProfile => {
  const line = { systemName: 'f', fileName: 'f.c', startLine: 1, line: 1, column: 0 };
  const frame = { mappingFile: 'app', buildId: '', address: timeNanos, lines: [line] };
  return {
    name: 'cpu',
    sampleType: count,
    periodType: count,
    period: 1n,
    durationNanos: 1n,
    timeNanos,
    samples: [{ labels: [label], frames: [frame, frame], value: 1n }],
  };
});
const stream = encodeRecord(records, undefined);

/** Limits that only a running server can reach. */
type ServerLimit =
  | 'scrapeBodyBytes'
  | 'discoveryBytes'
  | 'streamsPerConnection'
  | 'headerBytes'
  | 'idleConnection';

const readProfile = (): void => decodePprof(profile(), new PprofColumns());
const internProfile = (): unknown => {
  const upload = {
    series: { name: 'cpu', labels: [] },
    profile: profile(),
    keepSampleTypes: [],
    receivedNanos: 1n,
    timeNanos: undefined,
    areFileAddresses: false,
    samplesMax: 0,
    contentBytesMax: 0,
  };
  const reader = new UploadReader();
  return finishAtOnce(reader.readAll(new Dictionary([1, 2, 3]), [upload], () => undefined));
};
const readLabels = (): unknown =>
  readSeries([{ name: '__name__', value: 'x' }, label, { name: 'c', value: 'd' }], []);
const readArrow = (): unknown => readRecord([stream]);

/** Adds two series of one caller in the server's eleventh minute. */
async function admitSeries(): Promise<void> {
  const clock = createFakeClock();
  const cardinality = createCardinality({ clock, random: seededRandom(1), metrics: noMetrics });
  await clock.advance(600_000);
  const other = { name: 'aa', value: 'cc' };
  const series = [[label], [other, { name: 'dd', value: 'ee' }]];
  await cardinality.admit(
    series.map((labels) => ({ name: 'x', labels })),
    'someone',
  );
}

/** Functions with input that is refused if the limit is 1. */
const refused: Readonly<Record<Exclude<InputLimitName, ServerLimit>, () => unknown>> = {
  profileBytes: () => openContent(profile()),
  profileSamples: readProfile,
  stackDepth: readProfile,
  profileFrames: readProfile,
  profileDistinctFrames: internProfile,
  profileSymbols: readProfile,
  profileSampleLabels: readProfile,
  inflation: () => openContent(gzipSync(new Uint8Array(2 * kibi * kibi))),
  jsonObjects: () => parseJsonBytes(Buffer.from('{"[": [ "\\"{" ]}'), ''),
  seriesPerRequest: () => {
    const series = writeRawRequest({ __name__: 'x' }, profile());
    return finishAtOnce(decodeWriteRaw(Buffer.concat([series, series])));
  },
  writeHandshake: async () => {
    const clock = createFakeClock();
    const ingester = { write: async () => undefined, writeRecord: async () => undefined };
    const pushes = new ProfilePushes(ingester, new AgentTable(clock));
    async function* silent(): AsyncGenerator<Uint8Array> {
      await new Promise(() => undefined);
      yield new Uint8Array(0);
    }
    const context = { peer: '', caller: '', limits: { timeMillisMax: 60_000 }, tags: [] };
    const signal = new AbortController().signal;
    const answer = writeInTwoSteps(pushes, clock, silent(), { ...context, signal }).next();
    await Promise.all([answer, clock.advance(1)]);
  },
  labelsPerSeries: readLabels,
  labelNameBytes: readLabels,
  labelValueBytes: readLabels,
  activeSeries: admitSeries,
  activeSeriesOfCaller: admitSeries,
  newSeries: admitSeries,
  newSeriesOfCaller: admitSeries,
  labelNames: admitSeries,
  labelNamesOfCaller: admitSeries,
  labelValues: admitSeries,
  labelValuesOfCaller: admitSeries,
  arrowBytes: readArrow,
  arrowMetadataBytes: readArrow,
  arrowBatches: readArrow,
  arrowRows: readArrow,
  arrowItems: readArrow,
  arrowFields: readArrow,
  arrowNesting: readArrow,
  arrowDictionaryEntries: readArrow,
  arrowProfiles: readArrow,
};

test('input past each limit is refused, and the error names its flag', async () => {
  const initial = mapInputLimits((limit) => limit.initial);
  for (const [name, read] of Object.entries(refused)) {
    setInputLimits(initial);
    if (name !== 'writeHandshake' && name !== 'inflation') await read();
    setInputLimits({ ...initial, [name]: 1 });
    const { flag } = inputLimitTable[name as InputLimitName];
    await assert.rejects(
      async () => read(),
      (error) => error instanceof AppError && error.limit === flag,
      name,
    );
  }
  setInputLimits(initial);
});

/** Serves 8 KiB to every client. */
async function startTarget(t: TestContext): Promise<string> {
  const target = createServer((_request, response) => response.end(Buffer.alloc(8 * kibi)));
  t.after(() => target.close());
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  return `127.0.0.1:${(target.address() as AddressInfo).port}`;
}

test('flags set the limits of a server, its workers included; /metrics counts', async (t) => {
  const folder = await scratchDirectory();
  t.after(() => folder.remove());
  const listed = join(folder.path, 'listed.json');
  await writeFile(listed, `[{"targets": ["a:1"], "labels": {"x": "${'y'.repeat(8 * kibi)}"}}]`);
  const address = await startTarget(t);
  const server = await startServer({
    storagePath: join(folder.path, 'data'),
    config: `
scrape_configs:
  - {job_name: large, scrape_interval: 1s, static_configs: [{targets: ['${address}']}]}
  - {job_name: listed, file_sd_configs: [{files: ['${listed}']}]}
`,
    flags: [
      '--scrape-max-body-size=4KiB',
      '--discovery-max-size=4KiB',
      '--http-max-streams=7',
      '--http-max-header-size=8KiB',
      '--http-idle-timeout=200ms',
      '--ingest-workers=1',
      '--profile-max-samples=1',
      '--arrow-max-rows=1',
      '--http-max-request-size=64KiB',
    ],
  });
  t.after(() => server.stop());

  const push = async (body: Uint8Array): Promise<readonly [number, string]> => {
    const path = `${server.url}/api/v1/push?job=x`;
    const answer = await fetch(path, { method: 'POST', body: Buffer.from(body) });
    return [answer.status, ((await answer.json()) as { message: string }).message];
  };
  assert.deepEqual(await push(profile()), [
    429,
    'failed to parse profile: more than 1 samples, the limit (--profile-max-samples)',
  ]);
  assert.deepEqual(await push(new Uint8Array(65 * kibi)), [
    413,
    'body is larger than max (65536 bytes)',
  ]);
  const client = connect(server.address);
  await assert.rejects(writeArrow(client, stream), /the limit is 1 \(--arrow-max-rows\)/);
  client.close();

  const session = connectHttp2(server.url);
  await once(session, 'remoteSettings');
  assert.equal(session.remoteSettings.maxConcurrentStreams, 7);
  // The client sends nothing from now on.
  await once(session, 'close');
  const headers = { long: 'x'.repeat(9 * kibi) };
  assert.equal((await fetch(`${server.url}/-/healthy`, { headers })).status, 431);

  const wanted = [
    'arrow-max-rows',
    'discovery-max-size',
    'http-max-request-size',
    'profile-max-samples',
    'scrape-max-body-size',
  ];
  let reached: string[] = [];
  while (!wanted.every((flag) => reached.includes(flag))) {
    await delay(20);
    const samples = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
    reached = samples
      .filter(({ name, value }) => name === 'parca_limit_reached_total' && value > 0)
      .map(({ labels }) => labels.get('limit') ?? '');
  }
  assert.deepEqual(reached.toSorted(), wanted);
});
