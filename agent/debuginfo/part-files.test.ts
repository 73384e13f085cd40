// Tests that only files of the program's owner are opened for a program, and that a process that
// runs its code is found.
import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { readElf, bytesSource } from '../../src/symbolize/elf-file.ts';
import { makeElf } from '../../src/symbolize/testing/make-elf.ts';
import { fileBinary, kernelBinary, testBatch, testProcess } from '../testing/samples.ts';
import { findSharedDwarf, partsOfProcess, partsOfUser, processWith } from './part-files.ts';

test('only files of the user who owns the program are opened, and others are closed', () => {
  const descriptors: number[] = [];
  const openAny = (_pid: number, path: string): number => {
    if (path === '/missing') return -1;
    descriptors.push(openSync(process.execPath, 'r'));
    return descriptors[descriptors.length - 1];
  };
  const probe = openSync(process.execPath, 'r');
  const owner = fstatSync(probe).uid;
  closeSync(probe);
  const opened = partsOfProcess(openAny, 7, owner)('/app/program.dwp');
  assert.ok(opened !== undefined && opened.file.size > 0);
  opened.close();
  assert.equal(partsOfProcess(openAny, 7, owner + 1)('/other.dwo'), undefined);
  assert.equal(partsOfProcess(openAny, 7, owner)('/missing'), undefined);
  assert.equal(partsOfUser(owner + 1)(process.execPath), undefined);
  partsOfUser(owner)(process.execPath)?.close();
  for (const descriptor of descriptors) assert.throws(() => fstatSync(descriptor), /EBADF/);
});

test('a process with code of a file is its program, or one with the file in a stack', () => {
  const batch = testBatch({
    startNanos: 1n,
    endNanos: 2n,
    binaries: [kernelBinary, fileBinary('/app', 'aa'), fileBinary('/lib', 'bb')],
    processes: [testProcess({ pid: 7, binary: 1 }), testProcess({ pid: 8, binary: 0 })],
    samples: [
      { process: 0, frames: [[1, 1n]] },
      {
        process: 1,
        frames: [
          [0, 1n],
          [2, 1n],
        ],
      },
    ],
  });
  assert.deepEqual(
    [1, 2, 3].map((row) => processWith(batch, row)),
    [7, 8, undefined],
  );
});

test('a stripped program shares no DWARF, although it still names the file', async () => {
  const content = Buffer.concat([Buffer.from('common.debug\0'), Buffer.alloc(20, 0x5a)]);
  const stripped = makeElf([{ name: '.gnu_debugaltlink', type: 1, content }]);
  const elf = await readElf(bytesSource(stripped));
  const never = () => assert.fail('nothing is to be opened');
  assert.equal(await findSharedDwarf('/usr/bin/head', elf, never, []), undefined);
});
