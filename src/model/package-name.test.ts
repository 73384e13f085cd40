// Tests of the names of packages.
import { unknownGroup } from './group-names.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageName } from './package-name.ts';

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
