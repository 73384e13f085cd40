// Makes a data directory with a log and blocks, in the state that a killed server leaves.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createFiles } from '../../src/base/node/files.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { Dictionary } from '../../src/model/dictionary.ts';
import { writeHeadBlock } from '../../src/storage/block/testing/block-files.ts';
import { writeDeletions, type Deletion } from '../../src/storage/files/deletions.ts';
import { internStack } from '../../src/storage/fake/intern.ts';
import { write } from '../../src/storage/fake/short-profiles.ts';
import { Head } from '../../src/storage/head/head.ts';
import { applyProfile } from '../../src/storage/testing/fill-head.ts';
import { openDiskStorage } from './disk-storage.ts';

/** Time of the directory's first profile. */
const directoryStartNanos = 20_000n * 86_400_000_000_000n;

/**
 * Makes a folder `data` in a directory, with five profiles in the log and 600 in two blocks; some
 * are deleted. Returns the sums of values in the blocks by job, sample type and function.
 */
export async function fillDataDirectory(path: string): Promise<ReadonlyMap<string, bigint>> {
  const data = join(path, 'data');
  const sums = new Map<string, bigint>();
  const running = join(path, 'running');
  const storage = await openDiskStorage(running);
  const rows = [{ stack: 'leaf;root', values: [1n, 10n] }];
  for (let i = 0n; i < 5n; i += 1n)
    await write(storage, { labels: { job: 'log' }, time: directoryStartNanos + i, rows });
  // A clean stop would move the log's profiles into blocks.
  for (const name of ['meta', 'wal']) {
    await cp(join(running, name), join(data, name), { recursive: true });
  }
  await storage.close();
  const files = createFiles();
  await files.makeDirectory(join(data, 'blocks'));
  for (const id of ['block-1', 'block-2']) {
    await writeHeadBlock(files, join(data, 'blocks', `${id}.block`), filledHead(id, sums), { id });
  }
  const all = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
  const deletion: Deletion = {
    matchers: [],
    profileType: undefined,
    range: { ...all, to: directoryStartNanos },
  };
  await writeDeletions(files, join(data, 'blocks/block-2.block'), [deletion]);
  return sums;
}

/** Makes a head with profiles of two jobs; block-2's profiles at `start` are deleted later. */
function filledHead(id: string, sums: Map<string, bigint>): Head {
  const random = seededRandom(id.length + (id === 'block-1' ? 1 : 2));
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  for (let i = 0; i < 300; i += 1) {
    const job = `job-${randomBelow(random, 2)}`;
    const isDeleted = id === 'block-2' && i < 10;
    const time = isDeleted
      ? directoryStartNanos - BigInt(i)
      : directoryStartNanos + BigInt(i + 1) * 1_000_000_000n;
    const names = new Set(Array.from({ length: 20 }, () => `f${randomBelow(random, 50)}`));
    const rows = [...names].map((name) => {
      const values = [BigInt(randomBelow(random, 3)), -(2n ** 62n) / BigInt(i + 1)] as const;
      const of = (valueColumn: number): string => `${job} type${valueColumn} ${name}`;
      for (const [valueColumn, value] of values.entries()) {
        if (!isDeleted && value !== 0n)
          sums.set(of(valueColumn), (sums.get(of(valueColumn)) ?? 0n) + value);
      }
      return [internStack(head.dictionary, [name, 'main']), 0, ...values] as const;
    });
    applyProfile(head, { labels: { job }, time, valueColumns: 2, rows, hash: BigInt(i + 1) });
  }
  return head;
}
