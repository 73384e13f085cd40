import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinChunks, ownedBody } from './join-chunks.ts';
import { transferList } from './owned.ts';

test('chunks become one array that may be sent to a thread', async () => {
  const check = async (chunks: Uint8Array[], want: readonly number[]): Promise<void> => {
    const joined = await joinChunks(chunks);
    assert.deepEqual([...joined], want);
    assert.equal(transferList([joined]).length, 1);
    assert.equal(chunks.length, 0);
  };
  await check([], []);
  await check([Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)], [1, 2, 3]);
  await check([Buffer.from('ab').subarray(1)], [98]);
});

test('large bodies are joined in many turns, several at once too', async () => {
  const bytes = 8 << 20;
  const body = (fill: number): Uint8Array[] => [
    new Uint8Array(bytes / 2).fill(fill),
    new Uint8Array(bytes / 2).fill(fill + 1),
  ];
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const joined = await Promise.all([joinChunks(body(1)), joinChunks(body(3))]);
  isOver = true;
  assert.ok(turns >= 7, `${turns} turns for ${2 * bytes} bytes`);
  for (const [i, one] of joined.entries()) {
    assert.equal(one.length, bytes);
    assert.deepEqual(
      [one[0], one[bytes / 2 - 1], one[bytes / 2], one[bytes - 1]],
      [1 + 2 * i, 1 + 2 * i, 2 + 2 * i, 2 + 2 * i],
    );
  }
});

test('a body of its own memory is not copied, a view is', async () => {
  const own = await joinChunks([Uint8Array.of(1, 2, 3)]);
  assert.equal((await ownedBody(own)).buffer, own.buffer);
  const view = await ownedBody(own.subarray(1));
  assert.deepEqual([...view], [2, 3]);
  assert.notEqual(view.buffer, own.buffer);
});
