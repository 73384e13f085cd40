// Tests of the JSON mapping against the generated classes: each must read what the other has
// written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Long from 'long';
import * as tables from '../../../../proto/gen/descriptors.ts';
import { parca as profilestore } from '../../../../proto/gen/profilestore.js';
import { parca } from '../../../../proto/gen/query.js';
import { messageSteps, messageToJson } from './from-message.ts';
import { Schema } from './schema.ts';
import { jsonToMessage } from './to-message.ts';

const schema = new Schema(tables);
const { FlamegraphArrow, MetricsSample, QueryRequest, NumberCondition } = parca.query.v1alpha1;

function encode(typeName: string, json: unknown, of = 'query'): Uint8Array {
  return jsonToMessage(schema, schema.message(`parca.${of}.v1alpha1.${typeName}`), json);
}

function print(typeName: string, bytes: Uint8Array): unknown {
  const type = schema.message(`parca.query.v1alpha1.${typeName}`);
  return JSON.parse(messageToJson(schema, type, bytes));
}

test('JSON is encoded as the generated code would', () => {
  const request = QueryRequest.decode(
    encode('QueryRequest', {
      mode: 'MODE_MERGE',
      merge: { query: 'x', start: '1970-01-01T00:00:01.5Z', end: null },
      report_type: 5,
      nodeTrimThreshold: '0.5',
      groupBy: { fields: ['labels.a', 'labels.b'] },
      invertCallStack: 'true',
      rootTrimThreshold: 0.25,
      filter: [{ stackFilter: { criteria: { functionName: { contains: 'a' } } } }],
      $unknown: [1],
    }),
  );
  assert.equal(request.mode, 2);
  assert.equal(request.options, 'merge');
  assert.equal(request.merge?.query, 'x');
  assert.equal(request.merge?.start?.nanos, 500_000_000);
  assert.equal(request.merge?.end, null);
  assert.equal(request.reportType, 5);
  assert.equal(request.nodeTrimThreshold, 0.5);
  assert.deepEqual(request.groupBy?.fields, ['labels.a', 'labels.b']);
  assert.equal(request.invertCallStack, true);
  assert.equal(request.rootTrimThreshold, 0.25);
  assert.equal(request.filter[0].stackFilter?.criteria?.functionName?.contains, 'a');
});

test('messages are printed with their zero values, oneofs without', () => {
  const ours = {
    profileCount: '0',
    sampleCount: '0',
    coveredNanos: '0',
    period: '0',
    snapshots: 0,
    warnings: [],
    trimmed: '0',
    base: null,
    search: null,
    zoomedFrames: 0,
    profileTypes: [],
    load: null,
  };
  const empty = { total: '0', filtered: '0', ...ours };
  assert.deepEqual(print('QueryResponse', new Uint8Array(0)), empty);
  assert.deepEqual(print('MetricsSeries', new Uint8Array(0)), {
    labelset: null,
    samples: [],
    periodType: null,
    sampleType: null,
    total: '0',
    average: 0,
    coveredNanos: '0',
    snapshots: 0,
  });
  const record = new Uint8Array([250, 0, 1]);
  assert.deepEqual(print('FlamegraphArrow', FlamegraphArrow.encode({ record }).finish()), {
    record: '+gAB',
    unit: '',
    height: 0,
    trimmed: '0',
  });
  assert.deepEqual(
    print('QueryRequest', QueryRequest.encode({ nodeTrimThreshold: 0.1 }).finish()),
    {
      mode: 'MODE_SINGLE_UNSPECIFIED',
      reportType: 'REPORT_TYPE_FLAMEGRAPH_UNSPECIFIED',
      nodeTrimThreshold: 0.1,
      filter: [],
      groupBy: null,
      sourceReference: null,
      runtimeFilter: null,
      search: null,
      zoomPath: [],
      topLimit: null,
    },
  );
});

test('numbers keep every bit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double(),
      (value, rate) => {
        const bytes = encode('MetricsSample', {
          value: value.toString(),
          valuePerSecond: Number.isFinite(rate) ? rate : String(rate),
        });
        const sample = MetricsSample.decode(bytes);
        assert.equal(sample.value.toString(), value.toString());
        assert.ok(Object.is(sample.valuePerSecond, rate) || sample.valuePerSecond === rate);
        assert.equal(Object(print('MetricsSample', bytes)).value, value.toString());
      },
    ),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (equal) => {
      const bytes = encode('NumberCondition', { equal: equal.toString() });
      assert.equal(NumberCondition.decode(bytes).equal?.toString(), equal.toString());
      assert.deepEqual(print('NumberCondition', bytes), { equal: equal.toString() });
    }),
  );
});

test('any bytes round-trip as base64, URL-safe and unpadded too', () => {
  const type = schema.message('parca.profilestore.v1alpha1.RawSample');
  const { RawSample } = profilestore.profilestore.v1alpha1;
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
      for (const form of ['base64', 'base64url'] as const) {
        const rawProfile = Buffer.from(bytes).toString(form);
        const decoded = RawSample.decode(jsonToMessage(schema, type, { rawProfile }));
        assert.deepEqual(new Uint8Array(decoded.rawProfile), bytes);
      }
    }),
  );
});

test('a value that does not fit is refused by the name of its field', () => {
  const check = (json: unknown, message: RegExp) =>
    assert.throws(() => encode('QueryRequest', json), message);
  check([], /cannot parse request: expected an object/);
  check({ mode: 'NO' }, /cannot parse mode: unknown value "NO"/);
  check({ merge: { query: 1 } }, /cannot parse merge.query: expected a string/);
  check({ merge: {}, single: {} }, /cannot parse single: options is already set/);
  check({ filter: {} }, /cannot parse filter: expected a list/);
  check({ nodeTrimThreshold: 'x' }, /cannot parse nodeTrimThreshold: expected a number/);
  check({ invertCallStack: 1 }, /expected true or false/);
  const sample = (json: unknown, message: RegExp) =>
    assert.throws(() => encode('MetricsSample', json), message);
  sample({ value: '9223372036854775808' }, /out of range/);
  sample({ value: 2 ** 60 }, /must be written as a string/);
  sample({ count: 1.5 }, /expected an integer/);
});

test('deep nesting is refused, not overflowed', () => {
  let node: unknown = {};
  for (let i = 0; i < 500; i += 1) node = { children: [node] };
  assert.throws(() => encode('FlamegraphNode', node), /nested deeper than 100/);
});

test('a Long of the generated code is exact', () => {
  const bytes = MetricsSample.encode({ value: Long.MIN_VALUE }).finish();
  assert.equal(Object(print('MetricsSample', bytes)).value, '-9223372036854775808');
});

test('a long message becomes the same JSON in slices', async () => {
  const labels = Array.from({ length: 40 }, (_, i) => ({ name: `name${i}`, value: 'v'.repeat(i) }));
  const large = { labels: Array.from({ length: 100 }, () => labels).flat() };
  const series = [large, ...Array.from({ length: 400 }, () => ({ labels })), large];
  const bytes = encode('SeriesResponse', { series, warnings: ['a'] });
  const type = schema.message('parca.query.v1alpha1.SeriesResponse');
  const steps = [...messageSteps(schema, type, bytes)];
  assert.equal(steps.join(''), messageToJson(schema, type, bytes));
  const longest = Math.max(...steps.map((step) => step.length));
  assert.ok(steps.length > 100 && longest < 200_000, `${steps.length} steps, ${longest} long`);
});

test('a long message becomes the same JSON with fields of every kind', () => {
  const keys = Array.from({ length: 3_000 }, (_, i) => `job${i % 2_999}`);
  const target = { url: 'u'.repeat(100), labels: { labels: [{ name: 'a', value: '"' }] } };
  const parts = keys.map((key) =>
    encode('TargetsResponse', { targets: { [key]: { targets: [target] } } }, 'scrape'),
  );
  const bytes = Buffer.concat([...parts, encode('TargetsResponse', {}, 'scrape')]);
  const type = schema.message('parca.scrape.v1alpha1.TargetsResponse');
  assert.equal([...messageSteps(schema, type, bytes)].join(''), messageToJson(schema, type, bytes));
  const numbers = Array.from({ length: 90_000 }, (_, i) => i);
  const otlp = schema.message('opentelemetry.proto.profiles.v1development.Sample');
  const sample = jsonToMessage(schema, otlp, { values: numbers, stackIndex: 7 });
  assert.equal(
    [...messageSteps(schema, otlp, sample)].join(''),
    messageToJson(schema, otlp, sample),
  );
});

test('long strings and bytes of a message are written in pieces', () => {
  const type = schema.message('parca.query.v1alpha1.QueryResponse');
  for (const count of [24_575, 24_576, 24_577, 1_000_001]) {
    const record = Buffer.from(Uint8Array.from({ length: count }, (_, i) => i * 7));
    const fields = {
      flamegraphArrow: { record: record.toString('base64'), unit: '\u{1f600}"'.repeat(count) },
    };
    const bytes = encode('QueryResponse', fields);
    const steps = [...messageSteps(schema, type, bytes)];
    assert.equal(steps.join(''), messageToJson(schema, type, bytes));
    const longest = Math.max(...steps.map((step) => step.length));
    assert.ok(longest < 100_000, `${longest} characters at once`);
  }
});
