// Tests that the page's tables are up to date, and encode the same bytes as the server's code.
import Long from 'long';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parca as query } from '../../../proto/gen/query.js';
import { parca as scrape } from '../../../proto/gen/scrape.js';
import { pageMessages } from '../../../tools/generate/page-messages.ts';
import { mergeRequest } from './api.ts';
import * as messages from './messages.gen.ts';
import { decode, encode } from './protobuf.ts';
import { toNanos, toTimestamp } from './timestamp.ts';

const { QueryRequest, QueryResponse, QueryRangeRequest } = query.query.v1alpha1;
const { TargetsResponse } = scrape.scrape.v1alpha1;

test('the tables are what the generator makes of these .proto files', () => {
  for (const [path, want] of pageMessages()) {
    const committed = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    assert.equal(committed, want, `${path} is stale: run npm run generate`);
  }
});

test('a merge request is what the server reads', () => {
  const span = { from: 1_800_000_000_123, to: 1_800_000_060_000 };
  const request = mergeRequest('a:b:c:d:e{}', span, messages.flameGraphArrowReport, 0.0625);
  const read = QueryRequest.decode(encode(messages.queryRequest, request));
  assert.equal(read.mode, QueryRequest.Mode.MODE_MERGE);
  assert.equal(read.reportType, QueryRequest.ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW);
  assert.equal(read.rootTrimThreshold, 0.0625);
  assert.equal(read.merge?.query, 'a:b:c:d:e{}');
  assert.equal(String(read.merge?.start?.seconds), '1800000000');
  assert.equal(read.merge?.start?.nanos, 123_000_000);
  assert.equal(String(read.merge?.end?.seconds), '1800000060');
});

test('a search is what the server reads, and its share is read', () => {
  const base = mergeRequest('q', { from: 0, to: 1 }, messages.metadataReport, 0);
  const zoomPath = ['main', 'f'];
  const request = { ...base, zoomPath, search: { text: 'a.', mode: messages.caseSearch } };
  const read = QueryRequest.decode(encode(messages.queryRequest, request));
  assert.equal(read.reportType, QueryRequest.ReportType.REPORT_TYPE_PROFILE_METADATA);
  assert.deepEqual(read.zoomPath, zoomPath);
  const { Mode } = query.query.v1alpha1.NameSearch;
  assert.deepEqual([read.search?.text, read.search?.mode], ['a.', Mode.MODE_CASE]);
  assert.equal(messages.regexSearch, Mode.MODE_REGEX);
  const search = { cumulative: Long.fromInt(7), flat: Long.fromInt(3), names: 2 };
  const answer = QueryResponse.encode({ search, zoomedFrames: 2 }).finish();
  const told = decode(messages.queryResponse, answer);
  assert.deepEqual(told.search, { cumulative: 7n, flat: 3n, names: 2 });
  assert.equal(told.zoomedFrames, 2);
});

test('a range request is what the server reads', () => {
  const time = toTimestamp(5_000_000_007n);
  const request = {
    query: 'q',
    start: time,
    end: time,
    limit: 7,
    step: time,
    sumBy: ['a', 'b'],
    averages: true,
    byFirstLabel: true,
  };
  const read = QueryRangeRequest.decode(encode(messages.queryRangeRequest, request));
  assert.deepEqual([read.query, read.limit, read.sumBy], ['q', 7, ['a', 'b']]);
  assert.deepEqual([read.averages, read.byFirstLabel], [true, true]);
  for (const part of [read.start, read.end, read.step]) {
    assert.deepEqual([String(part?.seconds), part?.nanos], ['5', 7]);
  }
});

test('reports of the server are read', () => {
  const icicle = QueryResponse.encode({
    flamegraphArrow: {
      record: new Uint8Array([1, 2]),
      unit: 'nanoseconds',
      trimmed: Long.fromString('9007199254740993'),
    },
    total: Long.MAX_VALUE,
    profileCount: Long.fromInt(3),
    sampleCount: Long.fromInt(4_000),
    coveredNanos: Long.fromString('30000000001'),
    period: Long.fromInt(10_000_000),
    snapshots: 2.5,
    warnings: ['cannot read a block'],
  }).finish();
  const read = decode(messages.queryResponse, icicle);
  assert.equal(read.total, 2n ** 63n - 1n);
  assert.deepEqual(
    [read.profileCount, read.sampleCount, read.coveredNanos, read.period, read.snapshots],
    [3n, 4_000n, 30_000_000_001n, 10_000_000n, 2.5],
  );
  assert.deepEqual(read.warnings, ['cannot read a block']);
  assert.equal(read.flamegraphArrow?.trimmed, 2n ** 53n + 1n);
  assert.deepEqual([...(read.flamegraphArrow?.record ?? [])], [1, 2]);

  const record = Uint8Array.of(3, 4);
  const top = QueryResponse.encode({ top: { unit: 'count', record } }).finish();
  const functions = decode(messages.queryResponse, top).top;
  assert.deepEqual([functions?.unit, ...(functions?.record ?? [])], ['count', 3, 4]);
});

test('targets are read', () => {
  const sent = {
    url: 'http://a',
    lastError: 'refused',
    health: 2,
    labels: { labels: [{ name: 'job', value: 'api' }] },
    lastScrapeDuration: { nanos: 5_000_000 },
  };
  const bytes = TargetsResponse.encode({ targets: { api: { targets: [sent] } } }).finish();
  const [target] = decode(messages.targetsResponse, bytes).targets.get('api')?.targets ?? [];
  assert.deepEqual([target.url, target.lastError, target.health], ['http://a', 'refused', 2]);
  assert.equal(toNanos(target.lastScrapeDuration), 5_000_000n);
  assert.deepEqual(target.labels?.labels, [{ name: 'job', value: 'api' }]);
});
