import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PerfMap, readName } from './perf-map.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function nameAt(map: PerfMap, address: number): string | undefined {
  return map.find(address)?.name;
}

test('addresses find the entry that covers them', () => {
  const map = new PerfMap();
  map.add(utf8('1000 20 one\n0x1040 0x10 Lcom/example/Main;::run\n'));
  // Format of `jcmd PID Compiler.perfmap`.
  map.add(utf8('0x0000000000001080 0x0000000000000010 void Busy.run(long)\n'));
  assert.equal(map.length, 3);
  assert.equal(nameAt(map, 0x1088), 'void Busy.run(long)');
  assert.equal(nameAt(map, 0xfff), undefined);
  assert.equal(nameAt(map, 0x1000), 'one');
  assert.equal(nameAt(map, 0x101f), 'one');
  assert.equal(nameAt(map, 0x1020), undefined);
  assert.equal(nameAt(map, 0x104f), 'Lcom/example/Main;::run');
});

test('memory that is used again has its last name', () => {
  const map = new PerfMap();
  map.add(utf8('1000 100 old\n1010 10 inside\n1200 20 kept\n'));
  map.add(utf8('1000 100 new\n11f0 18 over\n'));
  assert.equal(nameAt(map, 0x1000), 'new');
  assert.equal(nameAt(map, 0x1015), 'new');
  assert.equal(nameAt(map, 0x1200), 'over', 'the later of two that overlap');
  assert.equal(nameAt(map, 0x1210), undefined, 'what is left of the earlier one is gone');
  map.add(utf8('1200 20 last\n'));
  assert.equal(nameAt(map, 0x1210), 'last');
});

test('a line may come in pieces, and nonsense is left out', () => {
  const map = new PerfMap();
  map.add(utf8('zz 1 x\n1000\n1000 0 empty\n1000 1'));
  map.add(utf8('0 whole name'));
  assert.equal(map.length, 0);
  map.add(utf8('\n'));
  assert.deepEqual(map.find(0x100f), { name: 'whole name', fileName: '', startLine: 0 });
});

test('names are UTF-8, wherever a piece ends', () => {
  const bytes = utf8('1000 10 Café.größe 日本 🙂\n');
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const map = new PerfMap();
    map.add(bytes.subarray(0, cut));
    map.add(bytes.subarray(cut));
    assert.equal(nameAt(map, 0x1000), 'Café.größe 日本 🙂');
  }
});

test('names of V8 tell function, file and line', () => {
  const check = (text: string, name: string, fileName = '', startLine = 0): void =>
    assert.deepEqual(readName(text), { name, fileName, startLine }, text);
  check('JS:*fib /app/main.js:3:13', 'fib', '/app/main.js', 3);
  check("JS:+'fib /app/main.js:3:13", 'fib', '/app/main.js', 3);
  check('JS:~fib file:///app/main.js:3:13', 'fib', 'file:///app/main.js', 3);
  check('JS:^ /app/a b.js:12:1', '(anonymous)', '/app/a b.js', 12);
  check('LazyCompile:*run /app/main.js:7', 'run', '/app/main.js', 7);
  check('Builtin:ArrayPrototypePush', 'Builtin:ArrayPrototypePush');
  check('Interpreter', 'Interpreter');
});
