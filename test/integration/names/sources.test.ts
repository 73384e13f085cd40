// Tests source files that are uploaded in an archive: reports then contain the files' lines.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ServiceError, status } from '@grpc/grpc-js';
import Long from 'long';
import { parca } from '../../../proto/gen/query.js';
import { gzipSync } from '../../../src/base/threads/zlib.ts';
import { readRecord } from '../../../src/formats/testing/read-record.ts';
import { makeTar } from '../../../src/sources/testing/make-tar.ts';
import { uploadDebuginfo } from '../../support/debuginfo-client.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { encodeLineProfile, type LineFrame } from '../../support/profiles/line-profile.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const messages = parca.query.v1alpha1;
const queryPath = '/parca.query.v1alpha1.QueryService/Query';
const buildId = 'feedface';
const timeNanos = 1_790_000_000_000_000_000n;
const sources = 2;
const query = 'app:samples:count:cpu:nanoseconds:delta{}';
const text = 'int main() {\n  return work();\n}\n';

const work: LineFrame = { name: 'work', file: '/home/me/app/src/work.c', line: 7 };
const main: LineFrame = { name: 'main', file: '/home/me/app/src/main.c', line: 2 };
const seconds = Long.fromString((timeNanos / 1_000_000_000n).toString());

type Reference = parca.query.v1alpha1.SourceReference.$Properties;

function request(sourceReference: Reference, mode: 'merge' | 'single' = 'merge'): Uint8Array {
  const time = { seconds, nanos: 0 };
  const { Mode, ReportType } = messages.QueryRequest;
  return messages.QueryRequest.encode({
    ...(mode === 'merge'
      ? { mode: Mode.MODE_MERGE, merge: { query, start: time, end: time } }
      : { mode: Mode.MODE_SINGLE_UNSPECIFIED, single: { query, time } }),
    reportType: ReportType.REPORT_TYPE_SOURCE,
    sourceReference,
  }).finish();
}

const scratch = await scratchDirectory();
after(() => scratch.remove());
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(() => server.stop());
const client = connect(server.address);
after(() => client.close());
const samples: [number, ...LineFrame[]][] = [
  [5, work, main],
  [2, main],
];
await unary(
  client,
  writeRawPath,
  writeRawRequest({ __name__: 'app' }, encodeLineProfile({ timeNanos, buildId, samples })),
);

async function ask(bytes: Uint8Array): Promise<parca.query.v1alpha1.Source> {
  const { source } = messages.QueryResponse.decode(await unary(client, queryPath, bytes));
  assert.ok(source);
  return new messages.Source(source);
}

/** Returns the lines of the report as `line flat/cumulative`. */
function printLines({ record }: parca.query.v1alpha1.Source): string[] {
  const { line_number, flat, cumulative } = readRecord(record).toColumns();
  return Array.from(line_number, (line, i) => `${line} ${flat[i]}/${cumulative[i]}`);
}

const fails =
  (code: number, details: RegExp) =>
  (error: ServiceError): boolean => {
    assert.equal(error.code, code, error.message);
    assert.match(error.details, details);
    return true;
  };

test('without sources, lines have values and the answer says why there is no text', async () => {
  const source = await ask(request({ buildId, filename: main.file }));
  assert.equal(source.source, '');
  assert.equal(source.whyEmpty, 'no sources for this build id have been uploaded');
  assert.deepEqual(printLines(source), ['2 2/7']);
  await assert.rejects(
    ask(request({ buildId, filename: main.file, sourceOnly: true })),
    fails(status.NOT_FOUND, /^no sources for this build id have been uploaded$/),
  );
});

test('an archive that cannot be read is refused by name', async () => {
  const offer = { buildId, type: sources, buildIdType: 1 };
  const upload = (hash: string, content: Uint8Array): Promise<void> =>
    uploadDebuginfo(client, { ...offer, hash }, content);
  await assert.rejects(
    upload('zip', new TextEncoder().encode('PK\x03\x04.....')),
    fails(status.INVALID_ARGUMENT, /^cannot read the archive of sources: it is zip/),
  );
  await assert.rejects(upload('zip', new Uint8Array(9)), fails(status.ALREADY_EXISTS, /it is zip/));
  await assert.rejects(
    upload('links', makeTar([{ path: 'a', type: 'SymbolicLink', linkpath: '/etc/passwd' }])),
    fails(status.INVALID_ARGUMENT, /it has no source file: 1 links \("a" first\)/),
  );
});

test('curl uploads, too; what it sends takes the place of the file before', async () => {
  const upload = async (parameters: string, body: BodyInit): Promise<[number, string]> => {
    const init = { method: 'POST', body, duplex: 'half' };
    const response = await fetch(`${server.url}/api/v1/debuginfo?${parameters}`, init);
    return [response.status, await response.text()];
  };
  const tar = makeTar([{ path: 'src/other.c', content: 'other' }]);
  const parameters = 'build_id=0badf00d&type=sources';
  const kept = `{"build_id":"0badf00d","type":"sources","bytes":${tar.length}}`;
  for (const body of [tar, tar]) assert.deepEqual(await upload(parameters, body), [200, kept]);
  const reference = { buildId: '0badf00d', filename: 'src/other.c', sourceOnly: true };
  assert.equal((await ask(request(reference))).source, 'other');
  const check = async (given: string, body: BodyInit, want: RegExp): Promise<void> => {
    const [code, message] = await upload(given, body);
    assert.match(`${code} ${message}`, want);
  };
  await check(parameters, 'PK\x03\x04', /^400 .*it is zip/);
  await check('type=sources', tar, /^400 .*build_id: unexpectedly short/);
  await check('build_id=abc&type=source', tar, /^400 .*type: must be one of debuginfo,/);
  const unsized = new ReadableStream({ start: (controller) => controller.close() });
  await check(parameters, unsized, /^400 .*content-length/);
});

test('an uploaded archive gives the text, over gRPC, gRPC-Web and JSON', async () => {
  const archive = gzipSync(makeTar([{ path: 'app/src/main.c', content: text }]), {});
  await uploadDebuginfo(client, { buildId, hash: 'h', type: sources }, archive);
  for (const mode of ['merge', 'single'] as const) {
    const source = await ask(request({ buildId, filename: main.file }, mode));
    assert.deepEqual([source.source, source.whyEmpty], [text, '']);
    assert.deepEqual(printLines(source), ['2 2/7']);
  }
  const only = await ask(request({ buildId, filename: main.file, sourceOnly: true }));
  assert.deepEqual([only.source, only.record.length], [text, 0]);
  await assert.rejects(
    ask(request({ buildId, filename: work.file, sourceOnly: true })),
    fails(status.NOT_FOUND, /work.c is not in the archive/),
  );
  const absent = await ask(request({ buildId, filename: work.file }));
  assert.deepEqual([absent.source, printLines(absent)], ['', ['7 5/5']]);
  assert.match(absent.whyEmpty, /work.c is not in the archive/);

  const bytes = request({ buildId, filename: main.file });
  const framed = Buffer.concat([Buffer.alloc(5), bytes]);
  framed.writeUInt32BE(bytes.length, 1);
  const web = await fetch(`${server.url}${queryPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: framed,
  });
  const answer = Buffer.from(await web.arrayBuffer());
  const message = answer.subarray(5, 5 + answer.readUInt32BE(1));
  assert.equal(messages.QueryResponse.decode(message).source?.source, text);

  const parameters = new URLSearchParams({
    mode: 'MODE_MERGE',
    'merge.query': query,
    'merge.start': '2026-09-21T14:13:20Z',
    'merge.end': '2026-09-21T14:13:20Z',
    report_type: 'REPORT_TYPE_SOURCE',
    'source_reference.build_id': buildId,
    'source_reference.filename': main.file,
  });
  const json = await fetch(`${server.url}/api/profiles/query?${parameters}`);
  const { source } = (await json.json()) as { source: { source: string } };
  assert.equal(source.source, text);
});
