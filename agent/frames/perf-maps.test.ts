// Tests of reading perf maps below a fake /proc: only files of the process itself are read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { perfMapReadingBytesMax, perfMapRereadMillis } from '../limits.ts';
import { ProcFolder } from '../process/proc-folder.ts';
import { testProcess } from '../testing/samples.ts';
import { PerfMaps } from './perf-maps.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-proc-'));
after(() => rmSync(folder, { recursive: true }));
const user = process.geteuid?.() ?? 0;

/** Creates a process, and returns its /tmp. */
function makeProcess(pid: number, userId = user): string {
  const tmp = join(folder, String(pid), 'root/tmp');
  mkdirSync(tmp, { recursive: true });
  writeFileSync(join(folder, String(pid), 'status'), `Name:\tapp\nUid:\t0\t${userId}\t0\t0\n`);
  return tmp;
}

function findIn(pid: number, namespacePid = pid): string | undefined {
  const maps = new PerfMaps(new ProcFolder(folder), createFakeClock());
  return maps.find(testProcess({ pid, namespacePid }), 0x1008)?.name;
}

test('the map of a process is found by its number in its own namespace, and read on', async () => {
  const tmp = makeProcess(11);
  writeFileSync(join(tmp, 'perf-1.map'), '1000 10 first\n');
  assert.equal(findIn(11, 1), 'first');
  assert.equal(findIn(11, 2), undefined);
  const clock = createFakeClock();
  const maps = new PerfMaps(new ProcFolder(folder), clock);
  const process = testProcess({ pid: 11, namespacePid: 1 });
  assert.equal(maps.find(process, 0x2000), undefined);
  appendFileSync(join(tmp, 'perf-1.map'), '2000 10 second\n1000 10 again\n');
  assert.equal(maps.find(process, 0x2000), undefined, 'not at once');
  await clock.advance(perfMapRereadMillis);
  assert.equal(maps.find(process, 0x2000)?.name, 'second');
  assert.equal(maps.find(process, 0x1000)?.name, 'again');
});

test('a map in UTF-8', () => {
  writeFileSync(join(makeProcess(31), 'perf-31.map'), '1000 10 Señor::café\n');
  assert.equal(findIn(31), 'Señor::café');
});

test('a map that was written again is read from its start', async () => {
  const file = join(makeProcess(19), 'perf-19.map');
  writeFileSync(file, '1000 10 first\n2000 10 second\n');
  const clock = createFakeClock();
  const maps = new PerfMaps(new ProcFolder(folder), clock);
  const process = testProcess({ pid: 19, namespacePid: 19 });
  assert.equal(maps.find(process, 0x2000)?.name, 'second');
  writeFileSync(file, '3000 10 third\n1000 10 first\n2000 10 later\n');
  await clock.advance(perfMapRereadMillis);
  assert.deepEqual(
    [0x1000, 0x2000, 0x3000].map((address) => maps.find(process, address)?.name),
    ['first', 'later', 'third'],
  );
});

test('a large map is read in parts, so that nothing waits long for it', async () => {
  const line = `1000 10 ${'x'.repeat(1_000)}\n`;
  const count = Math.ceil(perfMapReadingBytesMax / line.length);
  writeFileSync(join(makeProcess(18), 'perf-18.map'), `${line.repeat(count)}2000 10 last\n`);
  const clock = createFakeClock();
  const maps = new PerfMaps(new ProcFolder(folder), clock);
  const process = testProcess({ pid: 18, namespacePid: 18 });
  assert.equal(maps.find(process, 0x2000), undefined);
  await clock.advance(perfMapRereadMillis);
  assert.equal(maps.find(process, 0x2000)?.name, 'last');
});

test('links, pipes and files of other users are not read', () => {
  const secret = join(folder, 'secret');
  writeFileSync(secret, '1000 10 secret\n');
  symlinkSync(secret, join(makeProcess(12), 'perf-12.map'));
  assert.equal(findIn(12), undefined);
  execFileSync('mkfifo', [join(makeProcess(13), 'perf-13.map')]);
  assert.equal(findIn(13), undefined);
  const linked = makeProcess(14);
  rmSync(linked, { recursive: true });
  writeFileSync(join(folder, 'perf-14.map'), '1000 10 secret\n');
  symlinkSync(folder, linked);
  assert.equal(findIn(14), undefined);
  // A file owned by root is trusted, because root can write anywhere anyway.
  const foreign = makeProcess(15, user + 1);
  writeFileSync(join(foreign, 'perf-15.map'), '1000 10 foreign\n');
  assert.equal(findIn(15), user === 0 ? 'foreign' : undefined);
  assert.equal(findIn(16), undefined, 'a process that is gone');
});

test('the end of a map is read after its process has ended, from the same folder', async () => {
  makeProcess(17);
  const root = join(folder, '17/root');
  rmSync(join(root, 'tmp'), { recursive: true });
  rmSync(root, { recursive: true });
  // A link to the shared root folder, like /proc/PID/root.
  mkdirSync(join(folder, 'host'));
  symlinkSync(join(folder, 'host'), root);
  mkdirSync(join(folder, 'host/tmp'));
  const hostTmp = join(folder, 'host/tmp');
  writeFileSync(join(hostTmp, 'perf-17.map'), '1000 10 first\n');
  const clock = createFakeClock();
  const maps = new PerfMaps(new ProcFolder(folder), clock, hostTmp);
  const process = testProcess({ pid: 17, namespacePid: 17 });
  assert.equal(maps.find(process, 0x1000)?.name, 'first');
  appendFileSync(join(hostTmp, 'perf-17.map'), '2000 10 last\n');
  rmSync(join(folder, '17'), { recursive: true });
  await clock.advance(perfMapRereadMillis);
  assert.equal(maps.find(process, 0x2000)?.name, 'last');
});

test('the map of a process that has ended is released', () => {
  writeFileSync(join(makeProcess(20), 'perf-20.map'), '1000 10 first\n');
  const maps = new PerfMaps(new ProcFolder(folder), createFakeClock());
  const process = testProcess({ pid: 20, namespacePid: 20 });
  assert.equal(maps.find(process, 0x1000)?.name, 'first');
  rmSync(join(folder, '20'), { recursive: true });
  assert.equal(maps.find(process, 0x1000)?.name, 'first');
  maps.forget([process]);
  assert.equal(maps.find(process, 0x1000), undefined);
});
