import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDemanglerModule } from '../../base/node/demangler-module.ts';
import type { DemangleMode } from '../interface.ts';
import { WasmDemangler } from './wasm-demangler.ts';

const demangler = new WasmDemangler(readDemanglerModule());

function check(name: string, mode: DemangleMode, want: string): void {
  assert.equal(demangler.demangle(name, mode), want, name);
}

test('names of C++ by mode', () => {
  const vector = '_ZNSt6vectorIiSaIiEE9push_backERKi';
  check(vector, 'none', vector);
  check(vector, 'simple', 'std::vector::push_back');
  check(vector, 'templates', 'std::vector<int, std::allocator<int> >::push_back');
  check(vector, 'full', 'std::vector<int, std::allocator<int> >::push_back(int const&)');
  check('main', 'simple', 'main');
  check('__Z3foov', 'full', 'foo()');
});

test('clones and versions are not part of a name', () => {
  for (const suffix of [
    '.isra.0',
    '.cold',
    '.part.1',
    '.constprop.0.isra.0',
    '.llvm.123',
    '@@V_1',
  ]) {
    check(`_Z3foov${suffix}`, 'simple', 'foo');
    check(`_Z3foov${suffix}`, 'full', 'foo()');
  }
});

test('operators keep their signs', () => {
  check('_ZlsRSoi', 'simple', 'operator<<');
  check('_ZNK1AltERKS_', 'simple', 'A::operator<');
  check('_ZNK1AIiEptEv', 'simple', 'A::operator->');
  check('_ZNK1AclEi', 'simple', 'A::operator()');
  check('_ZStltIcSt11char_traitsIcEEbv', 'simple', 'std::operator<');
});

test('only the last list of parameters goes', () => {
  check('_ZZ4mainENKUlcE_clEc', 'simple', 'main::{lambda(char)#1}::operator()');
  check('_ZZ3fooiENKUlcE_clEc', 'templates', 'foo(int)::{lambda(char)#1}::operator()');
  check('_ZNKR1A1bEPFviE', 'simple', 'A::b');
  check('_ZN12_GLOBAL__N_11fEv', 'simple', '(anonymous namespace)::f');
  check('_ZTIFvRiE', 'simple', 'typeinfo for void (int&)');
  check('_ZThn16_N1AD0Ev', 'simple', '{virtual override thunk({offset(-16)}, A::~A)}');
});

test('names of Rust', () => {
  const legacy = '_ZN4core3fmt5Write9write_str17h0123456789abcdefE';
  check(legacy, 'simple', 'core::fmt::Write::write_str');
  check(`${legacy}.llvm.7262`, 'full', 'core::fmt::Write::write_str');
  check(
    '_ZN40_$LT$a..B$u20$as$u20$core..ops..Drop$GT$4drop17h0123456789abcdefE',
    'simple',
    '<a::B as core::ops::Drop>::drop',
  );
  check('_RNvC6_123foo3bar', 'simple', '123foo::bar');
  check('_RINvC3foo3barmE', 'simple', 'foo::bar');
  check('_RINvC3foo3barmE', 'full', 'foo::bar::<u32>');
});

test('names that are none stay', () => {
  for (const name of ['_Z', '_ZN', '_R', '', '_ZNSt', 'ü', '_Zü', '_ZZ4', '_RNvC']) {
    for (const mode of ['simple', 'full'] as const) check(name, mode, name);
  }
});

/** Returns a Rust name whose type doubles with each level. */
function doubledType(levels: number): string {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const reference = (at: number): string =>
    `B${at > 62 ? digits[Math.floor((at - 1) / 62) % 62] : ''}${digits[(at - 1) % 62]}_`;
  let body = 'INvC1a1fTmmE';
  let last = body.length - 'TmmE'.length;
  for (let level = 0; level < levels; level += 1) {
    const at = body.length;
    body += `T${reference(last)}${reference(last)}E`;
    last = at;
  }
  return `_R${body}E`;
}

test('hostile names stay, and the next one is read', () => {
  const hostile = [
    `_Z1fI${'1AI'.repeat(5_000)}i${'E'.repeat(5_000)}Evv`,
    `_Z1f${'P'.repeat(100_000)}i`,
    `_R${'NvC'.repeat(10_000)}`,
    doubledType(25),
    doubledType(40),
  ];
  for (const name of hostile) {
    check(name, 'full', name);
    check('_Z3foov', 'full', 'foo()');
  }
});
