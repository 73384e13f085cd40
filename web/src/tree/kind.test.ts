// Tests of the kinds of functions, and of their colours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hueOf, lightPalette } from '../canvas/colours.ts';
import { kindOf } from './kind.ts';

test('a function is of the kind that its name, file or binary tells', () => {
  const cases: readonly (readonly [
    kind: string | undefined,
    name: string,
    file?: string,
    binary?: string,
  ])[] = [
    ['own code', 'main.main'],
    ['own code', 'example.com/api/handler.(*Handler).ServeHTTP', '/src/api/handler.go'],
    ['own code', 'render', '/app/src/render.ts'],
    ['own code', 'my_service::db::query', 'src/db.rs'],
    ['libraries', 'net/http.(*conn).serve'],
    ['libraries', 'encoding/json.Marshal', '/usr/local/go/src/encoding/json/encode.go'],
    ['libraries', 'github.com/x/y.Do', '/go/pkg/mod/github.com/x/y@v1.2.3/do.go'],
    ['libraries', 'send', '/app/node_modules/express/lib/response.js'],
    ['libraries', 'get', '/usr/lib/python3/dist-packages/requests/api.py'],
    ['libraries', 'SSL_read', '', '/usr/lib/libssl.so.3'],
    ['runtime', 'runtime.mallocgc'],
    ['runtime', 'onread', 'node:internal/stream_base_commons'],
    ['runtime', 'std::thread::spawn', '/rustc/abc/library/std/src/thread.rs'],
    ['runtime', '__memmove_avx', '', '/lib/x86_64-linux-gnu/libc.so.6'],
    ['garbage collection', 'runtime.gcDrain'],
    ['garbage collection', '(garbage collector)'],
    ['kernel', 'do_syscall_64', '', '[kernel.kallsyms]'],
    ['interpreter', '_PyEval_EvalFrameDefault', 'ceval.c', '/usr/bin/python3.11'],
    [undefined, 'libfoo.so+0x1f20'],
    [undefined, '(idle)'],
  ];
  for (const [kind, name, file = '', binary = ''] of cases) {
    assert.equal(kindOf(name, file, binary), kind, name);
  }
});

test('each kind has a colour of its own', () => {
  const kinds = ['own code', 'libraries', 'runtime', 'kernel', 'garbage collection', 'interpreter'];
  const hues = kinds.map((kind) => hueOf(kind, lightPalette.hues.length));
  assert.equal(new Set(hues).size, kinds.length);
});
