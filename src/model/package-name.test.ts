// Tests of the names of packages.
import { unknownGroup } from './group-names.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparablePackage, packageName } from './package-name.ts';

test('packages by the rule of each language', () => {
  const cases: readonly (readonly [name: string, file: string, want: string])[] = [
    ['encoding/json.(*Decoder).Decode', '/usr/lib/go/src/encoding/json/decode.go', 'encoding/json'],
    ['github.com/a/b.Map[go.shape.int]', '/src/b.go', 'github.com/a/b'],
    ['main.main', 'main.go', 'main'],
    ['tokio::runtime::run', 'src/lib.rs', 'tokio'],
    ['<alloc::vec::Vec<T> as core::iter::Extend<U>>::extend', '', 'alloc'],
    ['send', '/app/node_modules/fastify/lib/reply.js', 'fastify'],
    ['send', 'node_modules/@scope/pkg/x.mjs', '@scope/pkg'],
    ['onTick', '/app/src/scrape/loop.ts', 'scrape'],
    ['emit', 'node:events', 'node'],
    ['java.util.HashMap.get', 'HashMap.java', 'java.util'],
    ['java.util.HashMap.put(java.lang.Object, int)', 'HashMap.java', 'java.util'],
    ['com.example.shop.Cart.<init>', '', 'com.example.shop'],
    ['com.example.shop.Cart$Line.add', 'Cart.kt', 'com.example.shop'],
    ['main.worker.Run.func1', '', 'main'],
    ['main.work.func1.2', '', 'main'],
    ['net.(*conn).Read', '', 'net'],
    ['memcpy', '', 'libc.so.6'],
    ['libc.so.6+0x1f20', '', 'libc.so.6'],
    ['Garbage Collection', '', 'runtime'],
    // Idle time is drawn in grey.
    ['(idle)', '', unknownGroup],
  ];
  for (const [name, file, want] of cases) {
    assert.equal(packageName(name, file, '/usr/lib/libc.so.6'), want, name);
  }
});

test('functions of the program itself, whatever its binary is called', () => {
  const cases: readonly (readonly [name: string, file: string, binary: string, want: string])[] = [
    ['main.main', 'main.go', '/bin/old', 'main'],
    ['compress', 'z.c', '/bin/new', 'main'],
    ['compress', '', '', 'main'],
    ['compress', '', '/usr/lib/libz.so.1.3', 'libz.so.1.3'],
    ['compress', '', 'C:\\app\\Codec.DLL', 'Codec.DLL'],
    ['example.com/codec.Encode', 'codec.go', '/bin/new', 'example.com/codec'],
    ['tokio::runtime::run', '', '/bin/new', 'tokio'],
  ];
  for (const [name, file, binary, want] of cases) {
    assert.equal(comparablePackage(name, file, binary), want, name);
  }
});
