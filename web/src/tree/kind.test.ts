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
    ['libraries', 'github.com/lib/pq.(*conn).query', '', '/usr/bin/checkout'],
    ['libraries', 'github.com/lib/pq.(*conn).query', 'conn.go', '/usr/bin/checkout'],
    ['libraries', 'github.com/x/y.Do', '/src/api/vendor/github.com/x/y/do.go'],
    ['libraries', 'github.com/x/y.Do', 'external/com_github_x_y/do.go'],
    ['libraries', 'gopkg.in/yaml.v3.Unmarshal'],
    ['libraries', 'golang.org/x/net/http2.(*Framer).ReadFrame'],
    ['own code', 'github.com/acme/checkout/cart.(*Handler).Add', '', '/usr/bin/checkout'],
    ['own code', 'github.com/acme/checkout/cart.(*Handler).Add', '/src/cart/add.go', '/bin/c'],
    ['own code', 'github.com/acme/checkout.Run', 'github.com/acme/checkout/run.go'],
    ['own code', 'git.acme.example/shop/cart.Total', '', '/usr/bin/checkout'],
    ['own code', 'go.acme.example/shop/cart.Total', '/src/shop/cart/total.go', '/bin/checkout'],
    ['own code', 'image-resizer/codec.Decode', '/src/image-resizer/codec/decode.go'],
    ['own code', 'main.main', '/src/log/main.go', '/usr/bin/log'],
    ['libraries', 'slices.SortFunc[go.shape.string,a.io/b]', '/usr/local/go/src/slices/sort.go'],
    ['libraries', 'sort.Slice', '/usr/local/go/src/sort/slice.go'],
    ['libraries', 'tokio::runtime::park', '/builder/.cargo/registry/src/a/tokio-1.0.0/src/park.rs'],
    ['libraries', 'tokio::runtime::park', '/usr/local/registry/src/a/tokio-1.0.0/src/park.rs'],
    ['libraries', 'tokio::runtime::park'],
    ['libraries', 'org.apache.kafka.clients.Sender.run'],
    ['own code', 'com.acme.shop.Cart.total'],
    ['libraries', 'send', '/app/node_modules/express/lib/response.js'],
    ['libraries', 'get', '/usr/lib/python3/dist-packages/requests/api.py'],
    ['libraries', 'SSL_read', '', '/usr/lib/libssl.so.3'],
    ['runtime', 'runtime.mallocgc'],
    ['runtime', 'onread', 'node:internal/stream_base_commons'],
    ['runtime', 'std::thread::spawn', '/rustc/abc/library/std/src/thread.rs'],
    ['runtime', 'start_thread'],
    ['runtime', '_start', '', '/usr/bin/python3.11'],
    ['own code', 'start_thread', '/srv/pool.c'],
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
