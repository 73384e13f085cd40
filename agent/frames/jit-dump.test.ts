// Tests of reading jitdumps: dumps written by the running Node, dumps built from the specification,
// and damaged dumps.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { type OpenFile, openRegularFile } from '../files/open-file.ts';
import { jitDumpRecordBytesMax, perfMapReadingBytesMax, perfMapRereadMillis } from '../limits.ts';
import {
  dumpHeader,
  emptyRecord,
  linesRecord,
  loadRecord,
  moveRecord,
} from '../testing/jit-dump-records.ts';
import { JitDump } from './jit-dump.ts';
import { ReadingBudget } from './reading-budget.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-jit-'));
after(() => rmSync(folder, { recursive: true }));

const budget = (): ReadingBudget => new ReadingBudget(createFakeClock());

function withFile<T>(path: string, use: (file: OpenFile) => T): T {
  const opened = openRegularFile(path);
  assert.ok(opened !== undefined);
  try {
    return use(opened.file);
  } finally {
    opened.close();
  }
}

function asFile(bytes: Uint8Array): OpenFile {
  const readNow = (offset: number, length: number): Uint8Array =>
    bytes.slice(offset, offset + length);
  return {
    size: bytes.length,
    userId: 0,
    read: (...place) => Promise.resolve(readNow(...place)),
    readNow,
  };
}

function readDump(...records: Uint8Array[]): JitDump {
  const dump = new JitDump();
  dump.readOn(asFile(Buffer.concat(records)), budget());
  return dump;
}

test('names and lines of code, by its last place', () => {
  const dump = readDump(
    dumpHeader(),
    linesRecord(0x1000n, [
      [0, 10, '/app/größe.lua'],
      [4, 12, '\xff'],
      [8, 3, '/app/inlined.lua'],
    ]),
    emptyRecord(4),
    loadRecord(0x1000n, 0x20, 'größe'),
    loadRecord(0x2000n, 0x10, 'second'),
  );
  const größe = { name: 'größe', fileName: '/app/größe.lua', startLine: 0 };
  assert.deepEqual(dump.find(0x1003), { ...größe, line: 10 });
  assert.deepEqual(dump.find(0x1004), { ...größe, line: 12 });
  assert.deepEqual(dump.find(0x101f), { ...größe, line: 0 }, 'a line of another file');
  assert.equal(dump.find(0x1020), undefined);
  assert.deepEqual(dump.find(0x2000), { name: 'second', fileName: '', startLine: 0, line: 0 });
});

test('an address has the last line that starts at or before it', () => {
  // Odd offsets have no row, and each seventh offset has two.
  for (const count of [1, 2, 3, 100]) {
    const rows = Array.from({ length: count }, (_, i) => [4 + 2 * i, 10 + i] as const);
    const again = rows.filter(([offset]) => offset % 7 === 0).map(([at, line]) => [at, line + 500]);
    const all = [...rows, ...again].map(([at, line]) => [at, line, 'a.lua'] as const);
    const dump = readDump(
      dumpHeader(),
      linesRecord(0x1000n, all),
      loadRecord(0x1000n, 0x200, 'first'),
    );
    for (let offset = 0; offset < 0x200; offset += 1) {
      const last = [...rows, ...again].filter(([at]) => at <= offset);
      const nearest = Math.max(0, ...last.map(([at]) => at));
      const line = Math.max(0, ...last.filter(([at]) => at === nearest).map(([, of]) => of));
      assert.equal(dump.find(0x1000 + offset)?.line, line, `${offset} of ${count} lines`);
    }
  }
});

test('code that has moved takes its name and lines along, and used memory gets its last name', () => {
  const dump = readDump(
    dumpHeader(),
    linesRecord(0x1000n, [[0, 10, 'a.lua']]),
    loadRecord(0x1000n, 0x20, 'first'),
    moveRecord(0x1000n, 0x3000n, 0x20),
    moveRecord(0x5000n, 0x6000n, 0x20),
    loadRecord(0x2000n, 0x20, 'second'),
    loadRecord(0x2010n, 0x20, 'third'),
    moveRecord(0x3000n, 0x4000n, 0x20),
  );
  const found = [0x1000, 0x2000, 0x2010, 0x3000, 0x4000, 0x6000].map((at) => dump.find(at)?.name);
  assert.deepEqual(found, [undefined, 'second', 'third', undefined, 'first', undefined]);
  assert.equal(dump.find(0x4001)?.line, 10);
});

test('a dump that grows is read on, wherever a write ends', () => {
  const bytes = Buffer.concat([
    dumpHeader(),
    linesRecord(0x1000n, [[0, 10, 'a.lua']]),
    loadRecord(0x1000n, 0x20, 'first'),
    moveRecord(0x1000n, 0x3000n, 0x20),
    loadRecord(0x2000n, 0x20, 'second'),
    emptyRecord(3),
    loadRecord(0x2000n, 0x20, 'after the end'),
  ]);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const dump = new JitDump();
    assert.equal(dump.readOn(asFile(bytes.subarray(0, cut)), budget()), true);
    assert.equal(dump.readOn(asFile(bytes), budget()), true);
    assert.deepEqual(
      [0x1000, 0x2000, 0x3000].map((at) => dump.find(at)?.name),
      [undefined, 'second', 'first'],
    );
  }
});

test('a file that was written again is another dump', () => {
  const path = join(folder, 'again.dump');
  const dump = new JitDump();
  const readOn = (): boolean => withFile(path, (file) => dump.readOn(file, budget()));
  writeFileSync(path, Buffer.concat([dumpHeader(), loadRecord(0x1000n, 0x20, 'first')]));
  assert.equal(readOn(), true);
  assert.equal(readOn(), true);
  truncateSync(path, 60);
  assert.equal(readOn(), false);
  const later = [dumpHeader(0, 2n), loadRecord(0x1000n, 0x200, 'later')];
  writeFileSync(path, Buffer.concat(later));
  assert.equal(readOn(), false);
});

test('machine code is not read, and a large dump is read in parts', async () => {
  const code = perfMapReadingBytesMax / 16;
  const records = [dumpHeader()];
  for (let i = 0; i < 32; i += 1) records.push(loadRecord(BigInt(i) * 0x100000n, code, `f${i}`));
  records.push(linesRecord(1n << 32n, [[0, 1, 'x'.repeat(jitDumpRecordBytesMax)]]));
  records.push(loadRecord(1n << 32n, 0x10, 'last'));
  const file = asFile(Buffer.concat(records));
  const clock = createFakeClock();
  const slow = new ReadingBudget(clock);
  const dump = new JitDump();
  // Each function takes a chunk of 64 KiB; the budget has enough for 32 chunks.
  assert.equal(dump.readOn(file, slow), true);
  assert.equal(dump.find(31 * 0x100000)?.name, 'f31');
  assert.equal(dump.find(2 ** 32), undefined);
  await clock.advance(perfMapRereadMillis);
  dump.readOn(file, slow);
  assert.deepEqual(dump.find(2 ** 32), { name: 'last', fileName: '', startLine: 0, line: 0 });
});

test('damaged dumps end where they are damaged', () => {
  const first = loadRecord(0x1000n, 0x20, 'first');
  const second = loadRecord(0x2000n, 0x20, 'second');
  const check = (wanted: readonly (string | undefined)[], ...records: Uint8Array[]): void => {
    const dump = readDump(...records);
    assert.deepEqual([dump.find(0x1000)?.name, dump.find(0x2000)?.name], wanted);
  };
  const none = [undefined, undefined];
  check(none);
  check(none, Buffer.from('no dump at all, but long enough for a header'), first);
  const oddVersion = dumpHeader();
  oddVersion.writeUInt32LE(2, 4);
  check(none, oddVersion, first);
  const oddSize = dumpHeader();
  oddSize.writeUInt32LE(8, 8);
  check(none, oddSize, first);
  const short = Buffer.from(first);
  short.writeUInt32LE(15, 4);
  check(['first', undefined], dumpHeader(), first, short, second);
  short.writeUInt32LE(0, 4);
  check(['first', undefined], dumpHeader(), first, short, second);
  const long = Buffer.from(second);
  long.writeUInt32LE(0xffffffff, 4);
  check(['first', undefined], dumpHeader(), first, long);
  // Data that extends past the end of its record is ignored, and the next record is still read.
  check(['first', 'second'], dumpHeader(), emptyRecord(0), emptyRecord(1), first, second);
  check(['first', 'second'], dumpHeader(), first, emptyRecord(2), linesRecord(1n, []), second);
  const line = [0, 10, 'a.lua'] as const;
  for (const count of [2, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    check(
      ['first', 'second'],
      dumpHeader(),
      linesRecord(0x1000n, [line], count),
      linesRecord(0x2000n, [line, [-5, 3, 'b.lua'], [2 ** 33, 4, 'b.lua']]),
      first,
      second,
    );
  }
  const huge = loadRecord(0x1000n, 0x20, 'huge');
  huge.writeBigUInt64LE(0xffff_ffff_ffff_ff00n, 32);
  check([undefined, 'second'], dumpHeader(), huge, second);
  // The name lacks its final zero byte, so the end of the record ends it.
  check(['first', undefined], dumpHeader(), first, second.subarray(0, -40));
});

test('random damage neither fails nor names what is not there', () => {
  const bytes = Buffer.concat([
    dumpHeader(),
    linesRecord(0x1000n, [[0, 10, 'a.lua']]),
    loadRecord(0x1000n, 0x20, 'first'),
    moveRecord(0x1000n, 0x3000n, 0x20),
    loadRecord(0x2000n, 0x20, 'second'),
  ]);
  for (let at = 0; at < bytes.length; at += 1) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const damaged = Buffer.from(bytes);
      damaged[at] = value;
      const dump = readDump(damaged);
      for (const address of [0, 0x1000, 0x2008, 0x3000, 2 ** 40]) dump.find(address);
    }
  }
});

test('a dump that Node writes: names, files, and lines where it has them', () => {
  const script = join(folder, 'busy.js');
  writeFileSync(
    script,
    '\nfunction inner(n) {\n  return n + 1;\n}\nfor (let i = 0; i < 1e5; i += 1) inner(i);\n',
  );
  const flags = ['--perf-prof', `--perf-prof-path=${folder}`, '--interpreted-frames-native-stack'];
  // Otherwise another thread compiles the code, and may not be done when the program ends.
  flags.push('--single-threaded');
  execFileSync(process.execPath, [...flags, script], { cwd: folder });
  const name = readdirSync(folder).find((each) => /^jit-\d+\.dump$/.test(each));
  assert.ok(name !== undefined);
  const dump = new JitDump();
  let inner: unknown;
  let withLines = 0;
  const odd: unknown[] = [];
  withFile(join(folder, name), (file) => {
    const bytes = Buffer.from(file.readNow(0, file.size));
    // Each call reads at most 2 MiB.
    for (let i = 0; i < 4; i += 1) assert.ok(dump.readOn(file, budget()));
    for (let at = 40; at + 16 <= bytes.length; at += bytes.readUInt32LE(at + 4)) {
      const kind = bytes.readUInt32LE(at);
      if (kind !== 0 && kind !== 2) continue;
      const symbol = dump.find(Number(bytes.readBigUInt64LE(at + (kind === 0 ? 32 : 16))));
      if (kind === 0 && symbol?.name === 'inner') inner = symbol;
      // The address may have code without lines now.
      if (kind === 0 || symbol === undefined || symbol.line === 0) continue;
      assert.match(symbol.fileName, /^node:/);
      if (symbol.line < symbol.startLine || symbol.line >= symbol.startLine + 50) odd.push(symbol);
      withLines += 1;
    }
  });
  assert.deepEqual(inner, { name: 'inner', fileName: script, startLine: 2, line: 0 });
  assert.deepEqual(odd, []);
  assert.ok(withLines > 0);
});
