import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeElf } from '../../src/symbolize/testing/make-elf.ts';
import { fileBinary } from '../testing/samples.ts';
import { ExecutableTable } from './executable.ts';

test('the id of a file is that of OpenTelemetry, as coreutils compute it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parca-test-'));
  const path = join(folder, 'program');
  const content = Buffer.from('0123456789abcdef'.repeat(400));
  writeFileSync(path, makeElf([{ name: '.rodata', type: 1, content }]));
  const descriptor = openSync(path, 'r');
  try {
    const table = new ExecutableTable();
    const binary = { ...fileBinary('/usr/bin/program', 'aa11'), descriptor };
    await table.load([binary]);
    assert.deepEqual(table.facts(binary), {
      // (head -c 4096 program; tail -c 4096 program; printf '%016x' 6736 | xxd -r -p) | sha256sum
      fileId: '312d6c6b7f3d8a3ff3f9629f5b7705c1',
      compiler: 'unknown',
      isStatic: true,
      isStripped: true,
    });
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});
