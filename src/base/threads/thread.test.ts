// Tests of threads that are ended between two calls to `unbroken`, during one, or with the process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { rounds } from '../testing/rounds.ts';
import { observeThreads, runningThreads, Thread } from './thread.ts';

const program = new URL('./testing/end-threads.ts', import.meta.url).pathname;
const unbroken = JSON.stringify(new URL('./unbroken.ts', import.meta.url).href);

/**
 * Starts a thread that runs `body`; inside it, `gate` is two words of memory shared with the test.
 */
function threadThat(body: string, gate: Int32Array<SharedArrayBuffer>): Thread {
  const script = `data:text/javascript,
    import { parentPort } from 'node:worker_threads';
    import { threadData, unbroken } from ${unbroken};
    const gate = threadData();
    ${body}`;
  return new Thread(new URL(script), { name: 'test', data: gate });
}

function newGate(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(8));
}

test('a thread that computes, waits or has ended is ended at once', async () => {
  const busy = threadThat(`parentPort.postMessage(''); for (;;);`, newGate());
  await once(busy, 'message');
  await busy.terminate();
  const idle = threadThat(
    `parentPort.on('message', () => {}); parentPort.postMessage('');`,
    newGate(),
  );
  await once(idle, 'message');
  await idle.terminate();
  await idle.terminate();
  const young = threadThat('', newGate());
  await young.terminate();
});

test('work that is begun is done to its end, and no other is begun', async () => {
  const gate = newGate();
  const thread = threadThat(
    `unbroken(() => {
      parentPort.postMessage('');
      Atomics.wait(gate, 0, 0);
      Atomics.add(gate, 1, 1);
    });
    for (;;) unbroken(() => Atomics.add(gate, 1, 1_000));`,
    gate,
  );
  await once(thread, 'message');
  let isEnded = false;
  const end = thread.terminate().then(() => (isEnded = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(!isEnded);
  assert.equal(Atomics.load(gate, 1), 0);
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await end;
  assert.equal(Atomics.load(gate, 1), 1);
});

test('work that fails does not keep the thread', async () => {
  const thread = threadThat(
    `try { unbroken(() => { throw new Error('failed'); }); } catch {}
    parentPort.postMessage(unbroken(() => 'answer'));`,
    newGate(),
  );
  assert.deepEqual(await once(thread, 'message'), ['answer']);
  await thread.terminate();
});

test('observers of threads are called before a thread ends, which waits for them', async () => {
  const thread = threadThat(
    `parentPort.on('message', () => parentPort.postMessage('answer'));`,
    newGate(),
  );
  assert.ok([...runningThreads()].includes(thread));
  const seen: string[] = [];
  const unobserve = observeThreads(async (one) => {
    one.postMessage('');
    seen.push(one.name, ...(await once(one, 'message')).map(String));
  });
  const unobserveFailing = observeThreads(() => Promise.reject(new Error('failed')));
  await thread.terminate();
  await thread.terminate();
  assert.deepEqual(seen, ['test', 'answer']);
  assert.ok(![...runningThreads()].includes(thread));
  unobserve();
  unobserveFailing();
  const other = threadThat('', newGate());
  await other.terminate();
  assert.equal(seen.length, 2);
});

test('threads that compress are ended, by their owner and with the process', async () => {
  const run = promisify(execFile);
  await run(process.execPath, [program, String(rounds(6, 60)), '0']);
  await Promise.all(
    Array.from({ length: rounds(1, 4) }, () => run(process.execPath, [program, '0', '6'])),
  );
});

test('threads that compress are ended while they are profiled', async () => {
  await promisify(execFile)(process.execPath, [program, String(rounds(2, 10)), '4', 'profiled']);
});
