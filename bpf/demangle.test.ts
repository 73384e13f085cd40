// Tests of the add-on's demangling of C++ and Rust names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDemangler } from './index.ts';

test('names become readable, others stay as they are', () => {
  const demangle = openDemangler();
  assert.equal(demangle('_ZNSt6vectorIiSaIiEE9push_backERKi'), 'std::vector::push_back');
  assert.equal(
    demangle('_ZN4core3fmt5Write9write_str17h0123456789abcdefE'),
    'core::fmt::Write::write_str',
  );
  for (const name of [
    'main',
    '',
    '_Z',
    '_ZN2v8',
    `_Z${'N'.repeat(4_000)}`,
    'runtime.goexit',
    'ü',
  ]) {
    assert.equal(demangle(name), name);
  }
});
