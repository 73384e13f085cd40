// Tests of copies in turns: a turn copies a limited number of bytes, shared equally by the copies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Copy, copyInTurns } from './copy-turns.ts';
import { joinChunks } from './join-chunks.ts';

const mebi = 1 << 20;
/** Bytes that all copies together may copy in one turn, as in copy-turns.ts. */
const turnMax = 2 * mebi;

/** A copy that counts bytes instead of copying them. */
class CountedCopy implements Copy {
  waitingBytes: number;
  readonly done = Promise.withResolvers<void>();

  constructor(bytes: number) {
    this.waitingBytes = bytes;
  }

  copyUpTo(bytesMax: number): number {
    const count = Math.min(bytesMax, this.waitingBytes);
    this.waitingBytes -= count;
    return count;
  }

  onCopied(): void {
    this.done.resolve();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a turn copies a limited number of bytes, shared by all copies', async () => {
  await turn();
  const large = Array.from({ length: 8 }, () => new CountedCopy(20 * mebi));
  const small = new CountedCopy(mebi);
  const all = [...large, small];
  const waiting = (): number => all.reduce((sum, { waitingBytes }) => sum + waitingBytes, 0);
  for (const copy of all) copyInTurns(copy);
  let before = waiting();
  assert.ok(before >= 161 * mebi - turnMax);
  let turns = 0;
  for (; small.waitingBytes > 0; turns += 1) {
    await turn();
    const copied = before - waiting();
    assert.ok(copied <= turnMax, `${copied} bytes in a turn`);
    before = waiting();
  }
  // The small copy gets a ninth of each turn, and does not wait for the large copies.
  assert.ok(turns <= 6, `${turns} turns for a mebibyte`);
  await Promise.all([...large, small].map(({ done }) => done.promise));
  assert.equal(waiting(), 0);
});

test('a small copy is made at once where nothing waits', async () => {
  await turn();
  const chunks = [Uint8Array.of(1, 2), Uint8Array.of(3)];
  let isJoined = false;
  void joinChunks(chunks).then(() => (isJoined = true));
  await Promise.resolve();
  await Promise.resolve();
  assert.ok(isJoined);
});
