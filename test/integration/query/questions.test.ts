// Tests queries to a real server over each of its protocols: short profile types, and conditions on
// labels.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import Long from 'long';
import { parca as parcaStore } from '../../../proto/gen/profilestore.js';
import { parca } from '../../../proto/gen/query.js';
import { startFilledServer } from '../../support/filled-server.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { getText } from '../../support/json-api.ts';
import {
  cpuProfile,
  gzippedPprof,
  type TestProfile,
} from '../../support/profiles/pprof-builder.ts';

const messages = parca.query.v1alpha1;
const service = '/parca.query.v1alpha1.QueryService';
const noon = Date.parse('2026-01-01T12:00:00Z');
const start = new Date(noon - 60_000).toISOString();
const end = new Date(noon + 60_000).toISOString();

const profile: TestProfile = cpuProfile({
  timeNanos: BigInt(noon) * 1_000_000n,
  samples: [['main;serve', 5n]],
});
/** A wall-time profile with the name that Node's profilers give it. */
const wallProfile: TestProfile = {
  ...profile,
  sampleTypes: [
    ['sample', 'count'],
    ['wall', 'nanoseconds'],
  ],
  periodType: ['wall', 'nanoseconds'],
};

const server = await startFilledServer([], async (push) => {
  const cpu = { __name__: 'process_cpu' };
  await push({ ...cpu, job: 'shop', pod: '1' }, gzippedPprof(profile));
  await push({ ...cpu, job: 'front', zone: 'eu' }, gzippedPprof(wallProfile));
  const io = { ...profile, sampleTypes: [['io', 'bytes'] as const, ['net', 'bytes'] as const] };
  await push({ __name__: 'disk', job: 'shop' }, gzippedPprof(io));
});
const client = connect(server.address);
after(async () => {
  client.close();
  await server.stop();
});

type Answer = { readonly body: string; readonly code: number };

/** Calls a method over gRPC-Web; returns the first frame's body, and the code in the trailers. */
async function grpcWeb(method: string, request: Uint8Array): Promise<Uint8Array> {
  const frame = Buffer.alloc(5 + request.length);
  frame.writeUInt32BE(request.length, 1);
  frame.set(request, 5);
  const response = await fetch(`${server.url}${service}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: frame,
  });
  const body = Buffer.from(await response.arrayBuffer());
  const length = body.readUInt32BE(1);
  assert.match(body.toString('latin1', 5 + length), /grpc-status: ?0\r\n/);
  return body.subarray(5, 5 + length);
}

async function readTotal(query: string): Promise<{ total: string; profileType: string }> {
  const text = await getText(server.url, '/v1/functions', { query, start, end, step: '1h' });
  const { total, profileType } = JSON.parse(text);
  return { total, profileType };
}

async function readMistake(query: string): Promise<Answer> {
  const parameters = new URLSearchParams({ query, start, end, step: '10s' });
  const response = await fetch(`${server.url}/api/profiles/query_range?${parameters}`);
  return { code: response.status, body: JSON.parse(await response.text()).message };
}

test('short types mean those of the series that are asked for', async () => {
  const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
  const wall = 'process_cpu:wall:nanoseconds:wall:nanoseconds:delta';
  const shop = { total: '50000000', profileType: cpu };
  const front = { total: '50000000', profileType: wall };
  assert.deepEqual(await readTotal('process_cpu{job="shop"}'), shop);
  assert.deepEqual(await readTotal('process_cpu{job="front"}'), front);
  // The short type means CPU time rather than wall time or counts.
  assert.deepEqual(await readTotal('process_cpu'), shop);
  const kept = await getText(server.url, '/v1/export', {
    query: 'process_cpu{job="front"}',
    start,
    end,
    format: 'collapsed',
  });
  assert.equal(kept.trim(), 'main;serve 50000000');
});

test('a type that stays ambiguous names its candidates, on every wire', async () => {
  const want =
    '1:1: profile type "disk" is ambiguous: ' +
    'disk:io:bytes:cpu:nanoseconds:delta, disk:net:bytes:cpu:nanoseconds:delta';
  assert.deepEqual(await readMistake('disk'), { code: 400, body: want });
  const asked = messages.LabelsRequest.encode({ profileType: 'disk' }).finish();
  await assert.rejects(unary(client, `${service}/Labels`, asked), {
    code: status.INVALID_ARGUMENT,
    details: want,
  });
});

test('match takes selectors, bare conditions and nothing, on every wire', async () => {
  const check = async (match: readonly string[], want: readonly string[]): Promise<void> => {
    const text = await getText(server.url, '/profiles/labels/job/values', { match });
    assert.deepEqual(JSON.parse(text).labelValues ?? [], want, `JSON: ${match.join(' ')}`);
    const asked = messages.ValuesRequest.encode({ labelName: 'job', match: [...match] }).finish();
    for (const bytes of [
      await unary(client, `${service}/Values`, asked),
      await grpcWeb('Values', asked),
    ]) {
      assert.deepEqual(messages.ValuesResponse.decode(bytes).labelValues, want, match.join(' '));
    }
  };
  await check([''], ['front', 'shop']);
  await check(['zone="eu"'], ['front']);
  await check(['job=~"shop|x", pod!="",'], ['shop']);
  await check(['', 'job!="front"', 'process_cpu{}'], ['shop']);
  await check(['job="shop"', 'zone="eu"'], []);
  const names = await getText(server.url, '/profiles/labels', { match: ['job="front"', ''] });
  assert.deepEqual(JSON.parse(names).labelNames, ['job', 'zone']);
  const bytes = await grpcWeb(
    'Labels',
    messages.LabelsRequest.encode({ match: ['zone="eu"'] }).finish(),
  );
  assert.deepEqual(messages.LabelsResponse.decode(bytes).labelNames, ['job', 'zone']);
});

/** Names that are not identifiers; the store has a profile type with each. */
const oddNames = ['1x', 'my-cpu', 'a b{c="d"}', 'größe\t"\\\n', "it's"];

test('what ProfileTypes lists is found by its text, plain and quoted', async () => {
  const push = async (name: string): Promise<void> => {
    const odd = { ...profile, sampleTypes: [['samples', 'count'] as const, ['1/s', '%'] as const] };
    const request = writeRawRequest({ __name__: name, job: 'odd' }, gzippedPprof(odd));
    await unary(client, writeRawPath, request);
  };
  for (const name of oddNames) await push(name);
  const listed = messages.ProfileTypesResponse.decode(
    await unary(
      client,
      `${service}/ProfileTypes`,
      messages.ProfileTypesRequest.encode({}).finish(),
    ),
  );
  const texts = listed.types.map(({ name, delta, ...type }) => {
    const parts = [name, type.sampleType, type.sampleUnit, type.periodType, type.periodUnit];
    return parts.join(':') + (delta ? ':delta' : '');
  });
  assert.ok(oddNames.every((name) => texts.some((text) => text.startsWith(`${name}:`))));
  for (const text of texts) {
    for (const query of [
      text,
      `${text}{job=~".*"}`,
      `{${JSON.stringify(text)}}`,
      `{__name__=${JSON.stringify(text)}, job!=""}`,
    ]) {
      const found = await readTotal(query);
      assert.equal(found.profileType, text, query);
      assert.notEqual(found.total, '0', query);
    }
  }
});

test('profile types that no query can name are refused', async () => {
  const check = async (
    labels: Readonly<Record<string, string>>,
    written: TestProfile,
    want: RegExp,
  ): Promise<void> => {
    const request = writeRawRequest(labels, gzippedPprof(written));
    await assert.rejects(unary(client, writeRawPath, request), {
      code: status.INVALID_ARGUMENT,
      details: want,
    });
  };
  const good = { __name__: 'cpu', job: 'refused' };
  await check({ ...good, __name__: 'a:b' }, profile, /__name__ label: "a:b" has a colon/);
  const types = (type: string, unit: string): TestProfile => ({
    ...profile,
    sampleTypes: [
      ['samples', 'count'],
      [type, unit],
    ],
  });
  await check(good, types('cpu', 'a:b'), /its sample unit "a:b" has a colon/);
  await check(good, types('c:', 'count'), /its sample type "c:" has a colon/);
  await check(good, { ...profile, periodType: ['a:b', 'c'] }, /its period type "a:b" has a colon/);
  await check(good, { ...profile, periodType: ['a', ':'] }, /its period unit ":" has a colon/);
  await check(good, types('x'.repeat(5_000), ''), /its profile type have \d+ characters/);
  const values = await getText(server.url, '/profiles/labels/job/values', {});
  assert.ok(!JSON.parse(values).labelValues.includes('refused'));
});

test('series without profiles are checked like others, by gRPC and JSON', async () => {
  const { WriteRawRequest } = parcaStore.profilestore.v1alpha1;
  const write = (name: string, value: string) =>
    WriteRawRequest.encode({ series: [{ labels: { labels: [{ name, value }] } }] }).finish();
  const check = async (name: string, value: string, want: string): Promise<void> => {
    await assert.rejects(unary(client, writeRawPath, write(name, value)), {
      code: status.INVALID_ARGUMENT,
      details: want,
    });
    const response = await fetch(`${server.url}/api/profiles/writeraw`, {
      method: 'POST',
      body: JSON.stringify({ series: [{ labels: { labels: [{ name, value }] }, samples: [] }] }),
    });
    const { message } = JSON.parse(await response.text());
    assert.deepEqual([response.status, message], [400, want]);
  };
  await check('job', 'x', 'missing __name__ label');
  await check('with-dash', 'x', 'invalid label name: with-dash');
  await check('__name__', 'a:b', 'invalid __name__ label: "a:b" has a colon');
  await unary(client, writeRawPath, write('__name__', 'cpu'));
});

test("Grafana's data source for Parca asks for a graph without a step", async () => {
  const request = {
    query: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="shop"}',
    start: { seconds: Long.fromNumber(noon / 1_000 - 60) },
    end: { seconds: Long.fromNumber(noon / 1_000 + 60) },
    limit: 1_500,
  };
  const encoded = messages.QueryRangeRequest.encode(request).finish();
  const { series } = messages.QueryRangeResponse.decode(await grpcWeb('QueryRange', encoded));
  const values = series.map(({ samples }) =>
    samples?.map(({ timestamp, value }) => [Number(timestamp?.seconds), Number(value)]),
  );
  assert.deepEqual(values, [[[noon / 1_000, 50_000_000]]]);
});
