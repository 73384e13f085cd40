import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordChecksOfCallerMax, passwordChecksWaitingMax } from '../limits.ts';
import { PasswordChecks } from './password-checks.ts';

/** Returns a check that waits for `step`, and the order of the checks. */
function stepped() {
  const order: string[] = [];
  let release: () => void = () => undefined;
  const checks = new PasswordChecks(async (password) => {
    order.push(password);
    await new Promise<void>((resolve) => (release = resolve));
    return password === 'right';
  }, new Uint8Array(32));
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const step = async (): Promise<void> => {
    release();
    await settle();
  };
  const send = (from: string, user: string, password: string): Promise<string> =>
    (async () => String(await checks.isRight({ from, user, password, hash: 'h' })))().catch(
      (error: unknown) => String(error),
    );
  return { order, step, settle, send };
}

test('a caller with many passwords takes turns with one that has a single password', async () => {
  const { order, step, settle, send } = stepped();
  const flood = Array.from({ length: 100 }, (_, i) => send('evil', `u${i}`, `x${i}`));
  await settle();
  const mine = send('me', 'alice', 'right');
  await step();
  await step();
  // When 'right' arrived, x1 had already been chosen as the next password.
  assert.deepEqual(order, ['x0', 'x1', 'right']);
  await step();
  assert.equal(await mine, 'true');
  for (let i = 0; i < 100; i += 1) await step();
  const answers = await Promise.all(flood);
  const refused = answers.filter((one) => one.includes('cannot check password'));
  // One password is being checked while the others wait.
  assert.equal(refused.length, 99 - passwordChecksOfCallerMax);
});

test('users of one address, such as that of a proxy, take turns too', async () => {
  const { order, step, settle, send } = stepped();
  const flood = Array.from({ length: 20 }, (_, i) => send('proxy', 'bob', `x${i}`));
  await settle();
  const mine = send('proxy', 'alice', 'right');
  for (let i = 0; i < 3; i += 1) await step();
  assert.deepEqual(order.slice(0, 3), ['x0', 'x1', 'right']);
  assert.equal(await mine, 'true');
  for (let i = 0; i < 20; i += 1) await step();
  await Promise.all(flood);
});

test('a full line makes room for a caller that has fewer in it', async () => {
  const { step, settle, send } = stepped();
  const callers = Math.ceil(passwordChecksWaitingMax / passwordChecksOfCallerMax) + 2;
  const all = Array.from({ length: callers }, (_, i) =>
    Array.from({ length: passwordChecksOfCallerMax }, (_none, k) =>
      send(`e${i}`, `u${k}`, `${i} ${k}`),
    ),
  ).flat();
  await settle();
  const mine = send('me', 'alice', 'right');
  for (let i = 0; i <= passwordChecksWaitingMax + 1; i += 1) await step();
  assert.equal(await mine, 'true');
  const refused = (await Promise.all(all)).filter((one) => one.includes('of all callers'));
  assert.ok(refused.length > 0);
});
