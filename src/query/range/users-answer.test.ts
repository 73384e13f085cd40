// Tests of the users of functions: sums, shares and rates by service and version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import { cpuText, rejects } from '../testing/ask.ts';
import { TestStore } from '../testing/test-store.ts';
import { QueryContext } from '../running/context.ts';
import type { UsersQuestion } from '../interface.ts';
import { answerUsers } from './users-answer.ts';

const cpu = parseProfileType(cpuText);
const second = 1_000_000_000n;
const range = { from: 0n, to: 600n * second - 1n };

async function fleet(): Promise<TestStore> {
  const store = new TestStore();
  const add = (labels: Record<string, string>, at: number, rows: string): void => {
    const times = { timeNanos: BigInt(at) * second, durationNanos: 10n * second };
    store.add({ ...times, type: cpu, labels, rows });
  };
  const ten = 10_000_000_000n;
  for (let at = 0; at < 600; at += 10) {
    const version = at < 300 ? 'v1' : 'v2';
    const used = at < 300 ? ten : 3n * ten;
    add(
      { job: 'shop', version, pod: 'p0' },
      at,
      `main;json.Decode ${used}\nmain;json.Decode;json.Decode ${ten}\nmain;sort.Sort ${ten}`,
    );
    if (at < 120) add({ comm: 'etl' }, at, `start;json.Encode ${ten}`);
    add({ job: 'mail' }, at, `main;smtp.Send ${ten}`);
  }
  add({ pod: 'lost' }, 0, `json.Decode 7`);
  return store;
}

async function ask(store: TestStore, question: Partial<UsersQuestion>) {
  const context = new QueryContext({ signal: new AbortController().signal });
  const wanted = { kind: 'function', text: 'json.Decode' } as const;
  const asked = { query: cpuText, range, stepNanos: 60n * second, wanted, limit: 100 };
  return answerUsers({ ...asked, ...question }, store, context);
}

test('a function by service and version, with shares and rates over time', async () => {
  const { users, total, wholeTotal, more } = await ask(await fleet(), {});
  const found = users.map(({ service, version, ...user }) => ({
    of: `${service?.name}=${service?.value} ${version?.value}`,
    cores: Number(user.total) / Number(user.durationNanos),
    share: Number(user.total) / Number(user.whole),
    buckets: user.rate.length,
  }));
  assert.deepEqual(found.slice(0, 2), [
    { of: 'job=shop v2', cores: 4, share: 0.8, buckets: 5 },
    { of: 'job=shop v1', cores: 2, share: 2 / 3, buckets: 5 },
  ]);
  assert.deepEqual([users.length, users[2].service, users[2].total], [3, undefined, 7n]);
  assert.equal(total, 7n + 1_800_000_000_000n);
  assert.equal(wholeTotal, total + 600_000_000_000n + 120_000_000_000n + 600_000_000_000n);
  assert.equal(more, 0);
  assert.deepEqual([...users[0].rate], [4, 4, 4, 4, 4]);
});

test('packages and patterns, a limit, and nobody', async () => {
  const store = await fleet();
  const services = async (question: Partial<UsersQuestion>) => {
    const { users, more, moreTotal } = await ask(store, question);
    const names = users.map(({ service, version }) => `${service?.value} ${version?.value}`);
    return [names, more, moreTotal];
  };
  const json = { kind: 'package', text: 'json' } as const;
  assert.deepEqual(await services({ wanted: json }), [
    ['shop v2', 'shop v1', 'etl undefined', 'undefined undefined'],
    0,
    0n,
  ]);
  const encode = { kind: 'pattern', text: '(En|S)code|smtp' } as const;
  assert.deepEqual(await services({ wanted: encode }), [
    ['mail undefined', 'etl undefined'],
    0,
    0n,
  ]);
  assert.deepEqual(await services({ wanted: encode, limit: 1 }), [
    ['mail undefined'],
    1,
    120_000_000_000n,
  ]);
  assert.deepEqual(await services({ wanted: { kind: 'function', text: 'no' } }), [[], 0, 0n]);
});

test('what cannot be asked is said', async () => {
  const store = await fleet();
  await rejects(
    ask(store, { stepNanos: second }),
    'invalid-argument',
    /600 steps are more than 200/,
  );
  await rejects(
    ask(store, { wanted: { kind: 'pattern', text: '(' } }),
    'invalid-argument',
    /cannot compile regular expression/,
  );
  await rejects(
    ask(store, { wanted: { kind: 'package', text: '' } }),
    'invalid-argument',
    /package: cannot be blank/,
  );
  await rejects(
    ask(store, { query: `diff(${cpuText}, ${cpuText})` }),
    'invalid-argument',
    /a diff cannot be shown over time/,
  );
});
