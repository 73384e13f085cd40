// Tests that data directories of earlier versions still give the same answers.
import assert from 'node:assert/strict';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMatcher } from '../../../src/model/matcher.ts';
import { readAnswer } from '../../../src/storage/fake/read-texts.ts';
import type { SeriesQuery, Storage } from '../../../src/storage/interface.ts';
import { decodeAnswers, type GoldenAnswer } from '../../golden/golden-answers.ts';
import { openDiskStorage } from '../../support/disk-storage.ts';
import { scratchDirectory } from '../../support/server.ts';

const golden = new URL('../../golden/', import.meta.url).pathname;
const entries = await readdir(golden, { withFileTypes: true });

for (const { name } of entries.filter((entry) => entry.isDirectory())) {
  test(`the data directory ${name} answers as it did`, async () => {
    const scratch = await scratchDirectory();
    const data = join(scratch.path, 'data');
    await cp(join(golden, name, 'data'), data, { recursive: true });
    const answers = decodeAnswers(await readFile(join(golden, name, 'answers.jsonl'), 'utf8'));
    assert.ok(answers.length > 0);
    try {
      // The first life cuts the log into blocks.
      for (let life = 0; life < 2; life += 1) {
        const storage = await openDiskStorage(data);
        for (const answer of answers) await check(storage, answer);
        await storage.close();
      }
    } finally {
      await scratch.remove();
    }
  });
}

async function check(storage: Storage, want: GoldenAnswer): Promise<void> {
  const { instance, range } = want;
  const matchers = instance === undefined ? [] : [createMatcher('instance', '=', instance)];
  const query: SeriesQuery = { matchers, profileType: undefined, range };
  const { texts, missing } = await readAnswer(storage, query, true);
  assert.deepEqual([...texts].sort(), want.texts);
  assert.deepEqual(missing, []);
  assert.deepEqual(await storage.querier.labelValues('instance', query), want.instances);
}
