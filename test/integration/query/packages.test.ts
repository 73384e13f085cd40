// Tests that the package of a function is the same everywhere: in the page's list, in the answer
// about users, in the language of alerts, and in a condition of a query.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { mergeRequest, queryMethod } from '../../../web/src/rpc/api.ts';
import { call } from '../../../web/src/rpc/grpc-web.ts';
import { topReport } from '../../../web/src/rpc/messages.gen.ts';
import { readFunctionRows } from '../../../web/src/tree/function-rows.ts';
import { functionTable } from '../../../web/src/tree/function-table.ts';
import { startFilledServer } from '../../support/filled-server.ts';
import { encodeLineProfile, type LineFrame } from '../../support/profiles/line-profile.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
const hour = 3_600_000;
const seconds = 1_000_000_000;

function frame(name: string, file: string): LineFrame {
  return { name, file, line: 1 };
}

const main = frame('main', '/app/src/main.js');
const handle = frame('handle', '/app/src/shop/handle.js');
const root = '/app/node_modules';

/** Stacks, innermost call first, with seconds. Three names are in several files. */
const stacks: readonly (readonly [number, ...LineFrame[]])[] = [
  [7, frame('send', `${root}/fastify/lib/reply.js`), handle, main],
  [5, frame('send', '/app/src/shop/mail.js'), handle, main],
  [3, frame('(anonymous)', `${root}/fastify/fastify.js`), handle, main],
  [2, frame('(anonymous)', `${root}/@acme/codec/index.mjs`), main],
  [11, frame('(anonymous)', 'node:events'), main],
  [4, frame('run', '/srv/etl/load.py'), main],
  [6, frame('run', '/usr/lib/python3/dist-packages/pandas/core.py'), main],
  [1, frame('encoding/json.Unmarshal', '/usr/lib/go/src/encoding/json/decode.go'), main],
  [9, frame('java.util.HashMap.get', 'HashMap.java'), main],
  [8, frame('com.example.shop.Cart.add', ''), main],
  [10, frame('tokio::runtime::run', 'lib.rs'), main],
  [12, main],
];

/** Seconds of each package: of its functions alone, and with everything that they call. */
const wanted: Readonly<Record<string, readonly [own: number, all: number]>> = {
  fastify: [10, 10],
  shop: [5, 15],
  '@acme/codec': [2, 2],
  node: [11, 11],
  etl: [4, 4],
  pandas: [6, 6],
  'encoding/json': [1, 1],
  'java.util': [9, 9],
  'com.example.shop': [8, 8],
  tokio: [10, 10],
  src: [12, 78],
};

const server = await startFilledServer([], async (push) => {
  const profile = encodeLineProfile({
    timeNanos: BigInt(noon + 1_000) * 1_000_000n,
    buildId: 'b1',
    samples: stacks.map(([value, ...frames]) => [value * seconds, ...frames]),
  });
  await push({ __name__: 'process_cpu', job: 'shop' }, gzipSync(profile));
});
after(() => server.stop());

const base = `${server.url}/`;
const asking = { signal: new AbortController().signal };
const span = { from: noon, to: noon + hour - 1 };

/** Returns the own seconds of each package in the page's list. */
async function listed(query: string): Promise<Record<string, number>> {
  const request = { ...mergeRequest(query, span, topReport, 0), topRecord: true };
  const { top, total } = await call(base, queryMethod, request, asking);
  assert.ok(top);
  const table = functionTable(readFunctionRows(top.record), { total, baseTotal: undefined });
  const whole = Number(total) / seconds;
  return Object.fromEntries(
    Array.from(table.groupShares.package, ([name, share]) => [name, Math.round(share * whole)]),
  );
}

/** Returns the seconds of all users of a package. */
async function used(query: string, name: string): Promise<number> {
  const [start, end] = [span.from, span.to].map((millis) => new Date(millis).toISOString());
  const asked = new URLSearchParams({ query, package: name, start, end });
  const answer = await fetch(`${base}api/v1/users?${asked}`);
  assert.equal(answer.status, 200, await answer.clone().text());
  const { users } = (await answer.json()) as { readonly users: readonly { total: string }[] };
  return users.reduce((sum, { total }) => sum + Number(total), 0) / seconds;
}

/** Returns the seconds over the hour, as the language of alerts computes them. */
async function alerted(query: string): Promise<number> {
  const time = String((noon + hour) / 1_000);
  const asked = new URLSearchParams({ query: `total(${query} [1h])`, time });
  const answer = await fetch(`${base}prometheus/api/v1/query?${asked}`);
  const { data } = (await answer.json()) as {
    readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  };
  return Number(data.result.at(0)?.value[1] ?? '0');
}

test('own values of packages agree in list, users and alerts, with names in several files', async () => {
  const own = Object.fromEntries(Object.entries(wanted).map(([name, [value]]) => [name, value]));
  assert.deepEqual(await listed('process_cpu'), own);
  for (const [name, value] of Object.entries(own)) {
    const query = `process_cpu | leaf package equals ${JSON.stringify(name)}`;
    assert.equal(await alerted(query), value, name);
    assert.equal(await used(query, name), value, name);
    assert.deepEqual(await listed(query), { [name]: value });
  }
});

test('values with callees agree in users and alerts', async () => {
  for (const [name, [, value]] of Object.entries(wanted)) {
    assert.equal(await used('process_cpu', name), value, name);
    const query = `process_cpu | stack package equals ${JSON.stringify(name)}`;
    assert.equal(await alerted(query), value, name);
  }
});

test('frames that a query drops give their values to their callers, in the list, too', async () => {
  const query = 'process_cpu | frame drop package equals "fastify"';
  const { fastify: [dropped] = [0], ...others } = wanted;
  const own = Object.entries(others).map(([name, [value]]) => [name, value] as const);
  const want = own.map(([name, value]) => [name, name === 'shop' ? value + dropped : value]);
  assert.deepEqual(await listed(query), Object.fromEntries(want));
});
