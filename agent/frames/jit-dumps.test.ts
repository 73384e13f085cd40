// Tests of finding a process's jitdump below a fake /proc, and that only files of the right users
// are read.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { jitDumpSearchMillis, perfMapRereadMillis } from '../limits.ts';
import { ProcFolder } from '../process/proc-folder.ts';
import { dumpHeader, loadRecord } from '../testing/jit-dump-records.ts';
import { testProcess } from '../testing/samples.ts';
import { JitDumps } from './jit-dumps.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-proc-'));
after(() => rmSync(folder, { recursive: true }));
const user = process.geteuid?.() ?? 0;

interface Known {
  readonly maps: string;
  readonly userId?: number;
}

/** Makes a process; returns its root folder. */
function makeProcess(pid: number, { maps, userId = user }: Known): string {
  const path = join(folder, String(pid));
  mkdirSync(join(path, 'root/tmp'), { recursive: true });
  writeFileSync(join(path, 'maps'), maps);
  writeFileSync(join(path, 'status'), `Name:\tapp\nUid:\t0\t${userId}\t0\t0\n`);
  return join(path, 'root');
}

function mapOf(path: string, rights = 'r-xp'): string {
  return [
    '55d0c0000000-55d0c0001000 r-xp 00000000 fe:00 11                         /usr/bin/app',
    `7f76d43e1000-7f76d43e2000 ${rights} 00000000 fe:00 9981157                    ${path}`,
    '7ffc0d9ea000-7ffc0da0b000 rw-p 00000000 00:00 0                          [stack]\n',
  ].join('\n');
}

function createDumps(): { dumps: JitDumps; clock: ReturnType<typeof createFakeClock> } {
  const clock = createFakeClock();
  const open = (pid: number, path: string): number => {
    try {
      return openSync(join(folder, String(pid), 'root', path), 'r');
    } catch {
      return -1;
    }
  };
  return { dumps: new JitDumps(new ProcFolder(folder), clock, open), clock };
}

function findIn(pid: number, namespacePid = pid): string | undefined {
  return createDumps().dumps.find(testProcess({ pid, namespacePid }), 0x1008)?.name;
}

const first = Buffer.concat([dumpHeader(), loadRecord(0x1000n, 0x10, 'first')]);

test('a dump is found among the mappings, by the number in its own namespace, and read on', async () => {
  const root = makeProcess(21, { maps: mapOf('/tmp/a b/jit-1.dump') });
  mkdirSync(join(root, 'tmp/a b'));
  const path = join(root, 'tmp/a b/jit-1.dump');
  writeFileSync(path, first);
  assert.equal(findIn(21, 1), 'first');
  assert.equal(findIn(21, 2), undefined);
  const { dumps, clock } = createDumps();
  const process = testProcess({ pid: 21, namespacePid: 1 });
  assert.equal(dumps.find(process, 0x2000), undefined);
  appendFileSync(path, loadRecord(0x2000n, 0x10, 'second'));
  assert.equal(dumps.find(process, 0x2000), undefined, 'not at once');
  await clock.advance(perfMapRereadMillis);
  assert.equal(dumps.find(process, 0x2000)?.name, 'second');
  writeFileSync(path, Buffer.concat([dumpHeader(0, 9n), loadRecord(0x2000n, 0x10, 'other')]));
  await clock.advance(perfMapRereadMillis);
  assert.deepEqual(
    [0x1000, 0x2000].map((at) => dumps.find(process, at)?.name),
    [undefined, 'other'],
  );
});

test('a dump that comes later is found by a later search', async () => {
  const root = makeProcess(22, { maps: mapOf('/usr/lib/libc.so.6') });
  const { dumps, clock } = createDumps();
  const process = testProcess({ pid: 22, namespacePid: 22 });
  assert.equal(dumps.find(process, 0x1008), undefined);
  writeFileSync(join(root, 'tmp/jit-22.dump'), first);
  writeFileSync(join(folder, '22/maps'), mapOf('/tmp/jit-22.dump'));
  await clock.advance(perfMapRereadMillis);
  assert.equal(dumps.find(process, 0x1008), undefined);
  await clock.advance(jitDumpSearchMillis);
  assert.equal(dumps.find(process, 0x1008)?.name, 'first');
  // The names remain available after the process has ended, until `forget` is called.
  rmSync(join(folder, '22'), { recursive: true });
  await clock.advance(perfMapRereadMillis);
  assert.equal(dumps.find(process, 0x1008)?.name, 'first');
  dumps.forget([process]);
  assert.equal(dumps.find(process, 0x1008), undefined);
});

test('other mappings and files of other users are not read', () => {
  const check = (pid: number, wanted: string | undefined, known: Known): void => {
    const root = makeProcess(pid, known);
    for (const name of [`jit-${pid}.dump`, `xjit-${pid}.dump`, `jit-${pid}.dump (deleted)`]) {
      writeFileSync(join(root, 'tmp', name), first);
    }
    assert.equal(findIn(pid), wanted, known.maps);
  };
  check(31, 'first', { maps: mapOf('/tmp/jit-31.dump') });
  check(32, undefined, { maps: mapOf('/tmp/jit-32.dump', 'rw-p') });
  check(33, undefined, { maps: mapOf('/tmp/xjit-33.dump') });
  check(34, undefined, { maps: mapOf('/tmp/jit-34.dump (deleted)') });
  check(35, undefined, { maps: mapOf('[anon:/jit-35.dump') });
  check(36, undefined, { maps: '' });
  // A file owned by root is trusted, because root can write anywhere anyway.
  check(37, user === 0 ? 'first' : undefined, {
    maps: mapOf('/tmp/jit-37.dump'),
    userId: user + 1,
  });
  assert.equal(findIn(38), undefined, 'a process that is gone');
});
