import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { AppError } from '../base/errors.ts';
import { createLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { makeElf, makeNote } from '../symbolize/testing/make-elf.ts';
import { DebuginfodFetcher } from './debuginfod-fetcher.ts';
import { DebuginfoStore } from './debuginfo-store.ts';

const buildId = 'abababababababababababababababababababab';
const other = 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd';
const content = makeElf([
  {
    name: '.note.gnu.build-id',
    type: 7,
    content: makeNote('GNU', 3, new Uint8Array(20).fill(0xab)),
  },
  { name: '.debug_info', type: 1, content: new Uint8Array(40) },
]);
const logger = createLogger({
  level: 'error',
  format: 'logfmt',
  nowMillis: () => 0,
  write: () => undefined,
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const send =
  (status: number, body: Uint8Array | string = '', headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

/** A debuginfod server on the loopback interface, and its client. */
class Rig {
  readonly asked: string[] = [];
  readonly changed: string[] = [];
  readonly clock = createFakeClock(1_000);
  readonly files = new MemoryFiles(seededRandom(1));
  answer: Answer = send(200, content);
  url = '';
  readonly #server = createServer((request, response) => {
    this.asked.push(request.url ?? '');
    this.answer(response, request);
  });
  #parts: { readonly store: DebuginfoStore; readonly fetcher: DebuginfodFetcher } | undefined;
  #wake = (): void => undefined;

  get store(): DebuginfoStore {
    assert.ok(this.#parts);
    return this.#parts.store;
  }

  get fetcher(): DebuginfodFetcher {
    assert.ok(this.#parts);
    return this.#parts.fetcher;
  }

  async start(path = ''): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const onChange = (changed: string): void => {
      this.changed.push(changed);
      this.#wake();
    };
    const machine = { clock: this.clock, logger, metrics: noMetrics };
    const store = await DebuginfoStore.open({
      ...machine,
      files: this.files,
      random: seededRandom(1),
      path: '/data/debuginfo',
      fileBytesMax: 10_000,
      onChange,
      digest: (text) => hash('sha256', text),
      limits: { bytesMax: 0, ageMillisMax: 0 },
    });
    const options = { ...machine, store, userAgent: 'test', millisMax: 5_000, onMiss: onChange };
    const fetcher = new DebuginfodFetcher(options);
    fetcher.setServers([`${this.url}${path}`]);
    this.#parts = { store, fetcher };
  }

  /** Fetches the file, and resolves when the result is known. */
  async find(id = buildId): Promise<void> {
    const count = this.changed.length;
    assert.equal(this.fetcher.fetch(id), true);
    while (this.changed.length === count) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    // By this time, the request has ended.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  async stop(): Promise<void> {
    await this.fetcher.stop();
    await this.store.stop();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function withRig(work: (rig: Rig) => Promise<void>, path = ''): Promise<void> {
  const rig = new Rig();
  await rig.start(path);
  try {
    await work(rig);
    const left = rig.files.paths().filter((name) => name.endsWith('.upload'));
    assert.deepEqual(left, [], 'nothing is left over');
  } finally {
    await rig.stop();
  }
}

/** Checks that this answer provides no file, and that the reason is returned and remembered. */
async function refuses(answer: Answer, reason: RegExp): Promise<void> {
  await withRig(async (rig) => {
    rig.answer = answer;
    await rig.find();
    assert.equal(rig.store.find(buildId, 'debuginfod'), undefined);
    assert.match(rig.fetcher.missReason(buildId), reason);
    const { length } = rig.asked;
    assert.equal(rig.fetcher.fetch(buildId), false, 'not asked for again');
    assert.equal(rig.asked.length, length);
  });
}

test('a file is fetched below the path of its server, kept, and not fetched again', async () => {
  await withRig(async (rig) => {
    await rig.find();
    assert.deepEqual(rig.asked, [`/some/path/buildid/${buildId}/debuginfo`]);
    const found = rig.store.find(buildId, 'debuginfod');
    assert.ok(found);
    assert.deepEqual(rig.files.peek(found.path), content);
    assert.deepEqual(rig.changed, [buildId]);
    assert.equal(rig.fetcher.fetch(buildId), false);
    const { files, generation } = rig.store.useFiles(buildId);
    assert.equal(generation, 1);
    assert.deepEqual(files, [{ path: found.path, hasDwarf: true, hasGoLineTable: false }]);
  }, '/some/path');
});

test('a file that a server lacks is asked for again after ten minutes', async () => {
  await withRig(async (rig) => {
    rig.answer = send(404);
    await rig.find();
    assert.match(rig.fetcher.missReason(buildId), /127\.0\.0\.1:\d+ does not have it$/);
    await rig.clock.advance(599_000);
    assert.equal(rig.fetcher.fetch(buildId), false);
    await rig.clock.advance(1_001);
    assert.deepEqual(rig.changed, [buildId, buildId]);
    rig.answer = send(200, content);
    await rig.find();
    assert.ok(rig.store.find(buildId, 'debuginfod'));
  });
});

test('a server that fails is not asked for a minute', async () => {
  await withRig(async (rig) => {
    rig.answer = send(500);
    await rig.find();
    assert.match(rig.fetcher.missReason(buildId), /answers 500/);
    await rig.find(other);
    assert.match(rig.fetcher.missReason(other), /did not answer a moment ago/);
    assert.equal(rig.asked.length, 1);
    await rig.clock.advance(60_001);
    rig.answer = send(200, content);
    await rig.find();
    assert.ok(rig.store.find(buildId, 'debuginfod'));
  });
});

test('a server that fails again is not asked for twice as long, up to an hour', async () => {
  await withRig(async (rig) => {
    rig.answer = send(500);
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const { length } = rig.asked;
      await rig.find();
      await rig.clock.advance(minutes * 60_000 - 1_000);
      assert.equal(rig.fetcher.fetch(buildId), false, `asked after less than ${minutes} min`);
      assert.equal(rig.asked.length, length + 1);
      await rig.clock.advance(1_001);
    }
    rig.answer = send(404);
    await rig.find();
    rig.answer = send(500);
    await rig.find(other);
    await rig.clock.advance(60_001);
    assert.equal(rig.fetcher.fetch(other), true, 'a minute again');
  });
});

test('a question ends with its last caller, and says nothing about the file', async () => {
  await withRig(async (rig) => {
    const cut = Promise.withResolvers<void>();
    rig.answer = (response) => void response.once('close', cut.resolve);
    const gone = new AbortController();
    const asked = [1, 2].map(() => rig.fetcher.has(buildId, gone.signal));
    while (rig.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    gone.abort(new AppError('cancelled', 'gone'));
    for (const one of asked) await assert.rejects(one, /gone/);
    await cut.promise;
    rig.answer = send(200, content);
    assert.equal(await rig.fetcher.has(buildId), true);
    assert.equal(rig.asked.length, 2);
  });
});

test('one server that answers too late keeps agents waiting once a minute', async () => {
  await withRig(async (rig) => {
    rig.answer = () => undefined;
    const first = rig.fetcher.has(buildId);
    while (rig.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await rig.clock.advance(3_001);
    assert.equal(await first, false);
    assert.equal(await rig.fetcher.has(other), false);
    assert.equal(rig.asked.length, 1);
    rig.answer = send(200, content);
    await rig.clock.advance(60_001);
    assert.equal(await rig.fetcher.has(other), true);
  });
});

test('files that are wrong, cut off or too large are refused', async () => {
  await refuses(send(200, 'no ELF at all'), /does not start with the magic bytes of ELF/);
  await refuses(send(200, ''), /ELF/);
  await refuses(send(200, new Uint8Array(10_001)), /more than 10000 bytes/);
  await refuses((response) => {
    response.writeHead(200, { 'content-length': '5000' });
    response.write(content, () => response.destroy());
  }, /cannot reach .*(closed|aborted|terminated)/);
  const foreign = makeElf([
    { name: '.note.gnu.build-id', type: 7, content: makeNote('GNU', 3, new Uint8Array(20)) },
  ]);
  await refuses(send(200, foreign), /its own is 0000/);
});

test('redirects are followed to the same server only, and not for ever', async () => {
  const to = (location: string): Answer => send(302, '', { location });
  await refuses(to('http://localhost:1/elsewhere'), /redirects to another server/);
  await refuses(to('/again'), /redirects more than 2 times/);
  await withRig(async (rig) => {
    rig.answer = (response, request) =>
      (request.url === '/moved' ? send(200, content) : to('/moved'))(response, request);
    await rig.find();
    assert.ok(rig.store.find(buildId, 'debuginfod'));
  });
});

test('a body that does not end is given up after the longest time of a fetch', async () => {
  await withRig(async (rig) => {
    let begun: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    rig.answer = (response) => {
      response.writeHead(200);
      response.write(content.subarray(0, 10), begun);
    };
    const found = rig.find();
    await isBegun;
    await rig.clock.advance(5_001);
    await found;
    assert.match(rig.fetcher.missReason(buildId), /has taken more than 5000 ms/);
  });
});

test('a stop ends running requests', async () => {
  await withRig(async (rig) => {
    rig.answer = () => undefined;
    assert.equal(rig.fetcher.fetch(buildId), true);
    while (rig.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await rig.fetcher.stop();
    assert.equal(rig.fetcher.fetch(other), false);
    assert.deepEqual(rig.changed, []);
  });
});

test('the next server is asked for files that the first one lacks', async () => {
  await withRig(async (rig) => {
    rig.answer = (response, request) =>
      send(request.url?.startsWith('/second/') === true ? 200 : 404, content)(response, request);
    rig.fetcher.setServers([rig.url, `${rig.url}/second`]);
    await rig.find();
    assert.equal(rig.asked.length, 2);
    assert.ok(rig.store.find(buildId, 'debuginfod'));
  });
});

test('whether a server has a file is known by the start of its answer', async () => {
  await withRig(async (rig) => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    rig.answer = (response) => {
      response.on('close', closed);
      response.writeHead(200);
      response.write(content.subarray(0, 10));
    };
    assert.deepEqual(await Promise.all([rig.fetcher.has(buildId), rig.fetcher.has(buildId)]), [
      true,
      true,
    ]);
    await isClosed;
    assert.equal(await rig.fetcher.has(buildId), true);
    assert.equal(rig.asked.length, 1);
    // The server may have removed the file by the time it is needed.
    rig.answer = send(404);
    await rig.find();
    assert.equal(await rig.fetcher.has(buildId), false);
    assert.equal(rig.asked.length, 2);
    assert.equal(await rig.fetcher.has('Go/build-id'), false);
  });
});

test('a file that no server has is not asked for again, by agents or by queries', async () => {
  await withRig(async (rig) => {
    rig.answer = send(404);
    assert.equal(await rig.fetcher.has(buildId), false);
    assert.equal(await rig.fetcher.has(buildId), false);
    assert.equal(rig.fetcher.fetch(buildId), false);
    assert.match(rig.fetcher.missReason(buildId), /does not have it$/);
    assert.equal(rig.asked.length, 1);
  });
});

test('a slow server keeps no agent waiting, and is asked again', async () => {
  await withRig(async (rig) => {
    let begun: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    rig.answer = () => begun();
    const answer = rig.fetcher.has(buildId);
    await isBegun;
    await rig.clock.advance(3_001);
    assert.equal(await answer, false);
    rig.answer = send(200, content);
    await rig.find();
    assert.ok(rig.store.find(buildId, 'debuginfod'));
  });
});

test('a search that is released ends, and begins again when the file is wanted', async () => {
  await withRig(async (rig) => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    rig.answer = (response) => {
      response.on('close', () => ended.resolve());
      response.writeHead(200);
      response.write(content.subarray(0, 10), () => begun.resolve());
    };
    assert.equal(rig.fetcher.fetch(buildId), true);
    await begun.promise;
    rig.fetcher.release(buildId);
    rig.answer = send(200, content);
    // The file is requested again before the first search has ended.
    await rig.find();
    await ended.promise;
    assert.ok(rig.store.find(buildId, 'debuginfod'));
    assert.equal(rig.asked.length, 2);
  });
});

test('servers are asked only for build ids of files', async () => {
  await withRig(async (rig) => {
    const none = ['', 'abc', '../../etc/passwd', 'ABABABAB', 'a'.repeat(129), 'Go/build-id'];
    for (const id of none) assert.equal(rig.fetcher.fetch(id), false, id);
    rig.fetcher.setServers([]);
    assert.equal(rig.fetcher.fetch(buildId), false);
    assert.deepEqual(rig.asked, []);
  });
});
