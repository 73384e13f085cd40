// Tests --ready-address: probes get timely and true answers while the main thread is blocked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchDirectory, startServer } from '../support/server.ts';

/** Milliseconds for which each SIGUSR2 blocks the main thread; other threads get no signals. */
const busyMillis = 4_000;
const hang = `process.on('SIGUSR2', () => {
  for (const end = performance.now() + ${busyMillis}; performance.now() < end; );
});`;

test('a thread answers probes while the main thread is busy: ready, not ready, ready', async () => {
  const scratch = await scratchDirectory();
  const server = await startServer({
    storagePath: `${scratch.path}/data`,
    flags: ['--ready-address=127.0.0.1:0'],
    nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(hang)}`],
    turnMillisMax: 2 * busyMillis,
  });
  try {
    const address = /readyAddress=(\S+)/.exec(server.log())?.[1];
    assert.ok(address !== undefined, server.log());
    const probe = async (path = '/-/ready'): Promise<readonly [number, string]> => {
      const answer = await fetch(`http://${address}${path}`);
      return [answer.status, await answer.text()];
    };
    const ready = [200, 'The server is ready.\n'];
    assert.deepEqual(await probe(), ready);
    assert.deepEqual(await probe('/-/ready/write'), ready);
    assert.equal((await probe('/metrics'))[0], 404);
    process.kill(server.pid, 'SIGUSR2');
    const hungMillis = performance.now();
    // The probes' thread queries the main thread every second.
    await sleep(1_500);
    const [status, text] = await probe();
    assert.equal(status, 200);
    assert.match(text, /^The server is ready\. Its main thread has been busy for \d\.\d s\.\n$/);
    let late = await probe();
    while (late[0] === 200 && performance.now() - hungMillis < busyMillis) {
      await sleep(50);
      late = await probe();
    }
    assert.equal(late[0], 503);
    assert.match(
      late[1],
      /^The server is not ready: its main thread has been busy for \d\.\d s\.\n$/,
    );
    assert.equal((await probe('/-/healthy'))[0], 200);
    // The main port responds again once the main thread is no longer blocked.
    await (await fetch(`${server.url}/-/ready`)).text();
    assert.deepEqual(await probe(), ready);
    assert.match(server.log(), /the event loop was held up.*cpuMillis=\d{3,4} /);
  } finally {
    await server.stop();
    await scratch.remove();
  }
});
