// Tests of shortening names: each name with its shorter forms in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortForms } from './name-parts.ts';

const table: readonly (readonly [name: string, ...forms: string[]])[] = [
  // Go
  ['main.main', 'main'],
  ['runtime.gcBgMarkWorker', 'gcBgMarkWorker'],
  ['encoding/json.Marshal', 'e/json.Marshal', 'json.Marshal', 'Marshal'],
  [
    'github.com/prometheus/http.(*Server).ServeHTTP',
    'g.c/p/http.(*Server).ServeHTTP',
    'http.(*Server).ServeHTTP',
    '(*Server).ServeHTTP',
    'ServeHTTP',
  ],
  ['main.Map[go.shape.int,go.shape.string]', 'main.Map', 'Map'],
  [
    'net/http.(*conn).serve.func1',
    'n/http.(*conn).serve.func1',
    'http.(*conn).serve.func1',
    '(*conn).serve.func1',
    'serve.func1',
  ],
  [
    'slices/x.Sort[...].func2',
    'slices/x.Sort.func2',
    's/x.Sort.func2',
    'x.Sort.func2',
    'Sort.func2',
  ],
  // Rust
  [
    'core::ptr::drop_in_place::h0123456789abcdef',
    'core::ptr::drop_in_place',
    'c::ptr::drop_in_place',
    'ptr::drop_in_place',
    'drop_in_place',
  ],
  [
    'style::invalidation::element::invalidator::TreeStyleInvalidator::invalidate_child',
    's::i::e::i::TreeStyleInvalidator::invalidate_child',
    'TreeStyleInvalidator::invalidate_child',
    'invalidate_child',
  ],
  [
    '<alloc::vec::Vec<T> as core::iter::Extend<U>>::extend',
    'alloc::vec::Vec::extend',
    'a::v::Vec::extend',
    'Vec::extend',
    'extend',
  ],
  [
    'tokio::runtime::task::harness::poll::{{closure}}',
    't::r::t::harness::poll::{{closure}}',
    'harness::poll::{{closure}}',
    'poll::{{closure}}',
  ],
  ['alloc::vec::Vec::<u8>::push', 'alloc::vec::Vec::push', 'a::v::Vec::push', 'Vec::push', 'push'],
  // C++
  [
    'void std::__1::vector<int, std::__1::allocator<int> >::push_back(int const&)',
    'std::__1::vector::push_back',
    's::_::vector::push_back',
    'vector::push_back',
    'push_back',
  ],
  ['(anonymous namespace)::work(int)', '(anonymous namespace)::work', 'work'],
  ['Foo::operator()(int) const', 'Foo::operator()', 'operator()'],
  // Java, .NET, JavaScript
  ['java.util.HashMap.get', 'j.u.HashMap.get', 'HashMap.get', 'get'],
  [
    'com.foo.Bar$Inner.run(java.lang.String)',
    'com.foo.Bar$Inner.run',
    'c.f.Bar$Inner.run',
    'Bar$Inner.run',
    'run',
  ],
  ['Module._compile', '_compile'],
  // Python
  ['Session.request', 'request'],
  ['outer.<locals>.inner', 'inner'],
  // Names without parts.
  ['do_syscall_64'],
  ['(anonymous)'],
  ['<module>'],
  ['[unknown]'],
  ['libc.so.6+0x1f20', '0x1f20'],
  ['0x7f0012'],
];

test('forms of names in eight languages', () => {
  const got = table.map(([name]) => shortForms(name));
  const want = table.map((row) => [...row]);
  assert.deepEqual(got, want);
});

test('forms get shorter and never empty, whatever the name', () => {
  for (const name of [
    '',
    '.',
    '::',
    '<',
    '<>::',
    'a::<',
    ')(',
    '((',
    'a..b',
    '/',
    'x/',
    '-[NSObject init]',
  ]) {
    const forms = shortForms(name);
    for (let i = 1; i < forms.length; i++) assert.ok(forms[i].length < forms[i - 1].length);
    assert.ok(forms.slice(1).every((form) => form !== ''));
  }
});
