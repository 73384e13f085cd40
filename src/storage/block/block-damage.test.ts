// Tests that damage to a block is noticed, loses only the data that it hits, and never leads to a
// wrong answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rounds } from '../../base/testing/rounds.ts';
import type { MemoryFiles } from '../../base/fake/memory-files.ts';
import { AppError, errorCode } from '../../base/errors.ts';
import { noMetrics } from '../../base/metrics.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { readSelection } from '../fake/read-selection.ts';
import { query } from '../fake/short-profiles.ts';
import { internStack } from '../fake/intern.ts';
import { Head } from '../head/head.ts';
import type { SeriesQuery } from '../interface.ts';
import { PartList } from '../store/part-list.ts';
import type { Part } from '../part.ts';
import { PartsQuerier } from '../store/parts-querier.ts';
import { applyProfile } from '../testing/fill-head.ts';
import { crc32c } from '../../base/crc32c.ts';
import { blockPageBytes } from '../limits.ts';
import { blockVersion, tailBytes } from './block-facts.ts';
import type { Block } from './block.ts';
import { memoryFiles, openBlockAt, writeHeadBlock } from './testing/block-files.ts';

const path = '/blocks/test.block';

function smallHead(jobs: number, profiles: number): Head {
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  const { strings, sampleLabels } = head.dictionary;
  const key = strings.internText('thread');
  const text = strings.internText('x');
  const set = sampleLabels.intern([{ key, text, number: 0n, unit: strings.internText('') }]);
  for (let job = 0; job < jobs; job += 1) {
    for (let i = 0; i < profiles; i += 1) {
      const stacks = [`f${job}`, `g${i % 3}`].map((name) =>
        internStack(head.dictionary, [name, 'main']),
      );
      applyProfile(head, {
        labels: { job: `job-${job}` },
        time: BigInt(100 + i * 10),
        valueColumns: 2,
        rows: stacks.map((stack, row) => [stack, job === 1 ? set * row : 0, BigInt(i + row), 5n]),
      });
    }
  }
  return head;
}

/** Returns a querier's answers, and whether it reports missing data. */
async function collectAnswers(
  part: Part,
  asked: readonly SeriesQuery[],
): Promise<[string, boolean]> {
  const parts = new PartList<Part>();
  parts.addHead(part);
  let isMissing = false;
  const onMissing = (): void => {
    isMissing = true;
  };
  const querier = new PartsQuerier({ parts, onMissing });
  const answers: unknown[] = [];
  for (const one of asked) {
    const selection = await querier.select(one);
    for (const { slices } of selection.series) {
      for (const slice of slices) {
        answers.push(slice.digest());
        const rows = await slice.rows(true);
        answers.push(rows.map((source) => source.kind === 'chunk' && source.rowCount));
      }
    }
    try {
      answers.push(await readSelection(selection));
    } catch (error) {
      // A slice with missing rows has fewer rows than its profiles announce, or no dictionary.
      isMissing ||= error instanceof AppError;
      assert(isMissing || selection.missing.length > 0, String(error));
    }
    isMissing ||= selection.missing.length > 0;
    answers.push(await querier.labelNames(one), await querier.labelValues('job', one));
  }
  const text = JSON.stringify(answers, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return [text, isMissing];
}

async function openOrError(files: MemoryFiles): Promise<Block | AppError> {
  try {
    return await openBlockAt(files, path);
  } catch (error) {
    assert(error instanceof AppError, String(error));
    return error;
  }
}

test('every byte that changes is found, or changes no answer', async () => {
  const files = await memoryFiles();
  await writeHeadBlock(files, path, smallHead(3, 3), { rowsMax: 4 });
  const asked = [query({}), query({ matchers: [['thread', '=', 'x']], from: 105n, to: 115n })];
  const [want] = await collectAnswers(await openBlockAt(files, path), asked);
  const length = files.peek(path)?.length ?? 0;
  assert(length > 500);
  for (let byte = 0; byte < length; byte += rounds(7, 1)) {
    files.flipBit(path, byte, byte % 8);
    const block = await openOrError(files);
    if (block instanceof AppError) {
      assert.equal(errorCode(block), 'data-loss', block.message);
    } else {
      const [got, isMissing] = await collectAnswers(block, asked);
      assert(got === want || isMissing, `byte ${byte}`);
      const findings = await block.verify();
      assert(findings.length > 0, `byte ${byte} is not verified`);
      await block.close();
    }
    files.flipBit(path, byte, byte % 8);
  }
});

test('a file that ends early is no block', async () => {
  const files = await memoryFiles();
  await writeHeadBlock(files, path, smallHead(2, 2));
  const bytes = files.peek(path) ?? new Uint8Array(0);
  for (let size = 0; size < bytes.length; size += 1) {
    const file = await files.open('/blocks/short.block', { create: true });
    await file.truncate(0);
    await file.append(bytes.slice(0, size));
    await assert.rejects(openBlockAt(files, '/blocks/short.block'), { code: 'data-loss' });
  }
  assert.equal(files.openHandles, bytes.length);
});

test('a damaged page loses the profiles that it has, and is counted', async () => {
  const files = await memoryFiles();
  // The block has two pages of rows: the first page is full before the second begins.
  const head = smallHead(40, 1);
  const { dictionary } = head;
  const stacks = Array.from({ length: blockPageBytes }, (_, i) =>
    internStack(dictionary, [`leaf${i % 512}`, `mid${i >> 9}`, 'main']),
  );
  applyProfile(head, {
    labels: { job: 'large' },
    time: 100n,
    rows: stacks.map((stack, i) => [stack, 0, BigInt((i * 7919) % 65_521)]),
  });
  await writeHeadBlock(files, path, head, { isCold: false });
  let corruptions = 0;
  const metrics = {
    ...noMetrics,
    counter: (name: string) => ({
      add: (by = 1) => {
        if (name === 'parca_storage_corruptions_total') corruptions += by;
      },
    }),
  };
  const file = files.peek(path) ?? new Uint8Array(0);
  files.flipBit(path, Math.floor(file.length / 4), 1);
  const block = await openBlockAt(files, path, 1 << 26, metrics);
  const missing: string[] = [];
  const readable: string[] = [];
  for (let i = 0; i < 2; i += 1) {
    const note = (sentence: string): void => void missing.push(sentence);
    for (const { labels, slices } of await block.select(query({}), 0, note)) {
      const [source] = await slices[0].rows(false);
      if (source !== undefined) readable.push(labels[0].value);
    }
  }
  assert.equal(corruptions, 1);
  assert.match(missing[0], /^cannot read 1 profile of block test: cannot read .* checksum/);
  assert(readable.length >= 40, `${readable.length} are served`);
  const findings = await block.verify();
  assert.equal(findings.length, 1);
  assert(findings[0].offset <= file.length / 4);
});

test('a failed writer is abandoned and leaves no file', async () => {
  const files = await memoryFiles();
  const head = smallHead(2, 2);
  for (const call of ['append', 'sync'] as const) {
    files.addFault({ call, skip: 0, times: 1, errno: 'ENOSPC' });
    await assert.rejects(writeHeadBlock(files, path, head), { code: 'resource-exhausted' });
    files.clearFaults();
    assert.deepEqual(await files.list('/blocks'), []);
    assert.equal(files.openHandles, 0);
  }
  await writeHeadBlock(files, path, head);
  assert.deepEqual(await files.list('/blocks'), ['test.block']);
});

test('a block of a newer version is refused with that reason', async () => {
  const files = await memoryFiles();
  await writeHeadBlock(files, path, smallHead(1, 1));
  const bytes = files.peek(path) ?? new Uint8Array(0);
  const tail = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - tailBytes);
  const bodyStart = bytes.length - tailBytes - tail.getUint32(0, true);
  tail.setUint32(4, blockVersion + 1, true);
  tail.setUint32(8, crc32c(bytes, bodyStart, bytes.length - 8), true);
  const file = await files.open('/blocks/newer.block', { create: true });
  await file.append(bytes);
  await assert.rejects(openBlockAt(files, '/blocks/newer.block'), {
    code: 'failed-precondition',
    message: /version 3, this server reads up to 2/,
  });
});

test('a block without profiles is a block', async () => {
  const files = await memoryFiles();
  await writeHeadBlock(files, path, smallHead(0, 0));
  const block = await openBlockAt(files, path);
  assert.equal(block.range, undefined);
  assert.deepEqual(await block.select(query({}), 0, assert.fail), []);
  assert.deepEqual([...(await block.labelNames(query({})))], []);
  assert.deepEqual(await block.profileTypes({ from: 0n, to: 1n }), []);
  assert.deepEqual(await block.verify(), []);
});
