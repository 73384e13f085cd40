import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../base/logger.ts';
import type { SourceFrame } from './interface.ts';
import { Demangler, isMangled, type Demangle } from './demangler.ts';

const logger = createLogger({
  level: 'error',
  format: 'logfmt',
  nowMillis: () => 0,
  write: () => undefined,
});

function line(functionName: string, systemName: string = functionName): SourceFrame {
  return { functionName, systemName, fileName: 'a.cc', line: 3, startLine: 1, column: 0 };
}

test('names become readable with a following query; the system name stays', async () => {
  const asked: (readonly string[])[] = [];
  const demangle: Demangle = async (names) => {
    asked.push(names);
    return names.map((name) => (name === '_ZN' ? name : name.slice(3)));
  };
  const names = new Demangler({ demangle: () => demangle, logger });
  const lines = [line('_Z3foo'), line('', '_R3bar'), line('_ZN'), line('main'), line('foo', '_Z1')];
  for (const one of lines) assert.equal(names.demangled(one), undefined);
  assert.equal(names.pendingCount, 3);
  await names.settled();
  assert.equal(names.pendingCount, 0);
  assert.equal(names.generation, 1);
  assert.deepEqual(
    lines.map((one) => names.demangled(one)),
    [line('foo', '_Z3foo'), line('bar', '_R3bar'), undefined, undefined, undefined],
  );
  assert.deepEqual(asked, [['_Z3foo', '_R3bar', '_ZN']]);
});

test('names stay as they are without a program, and when it fails', async () => {
  const without = new Demangler({ demangle: () => undefined, logger });
  assert.equal(without.demangled(line('_Z3foo')), undefined);
  assert.equal(without.pendingCount, 0);
  const failing = new Demangler({ demangle: () => () => Promise.reject(new Error('no')), logger });
  failing.demangled(line('_Z3foo'));
  await failing.settled();
  assert.equal(failing.demangled(line('_Z3foo')), undefined);
  assert.equal(failing.pendingCount, 0);
});

test('names are demangled until the last caller has gone, unless an answer promises them', async () => {
  const begun: AbortSignal[] = [];
  const demangle: Demangle = (_names, signal) => {
    begun.push(signal);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
    });
  };
  const names = new Demangler({ demangle: () => demangle, logger });
  const ask = (caller: AbortController): Promise<void> => {
    names.demangled(line('_Z3foo'));
    return names.settle(caller.signal, caller.signal);
  };
  const [first, last] = [new AbortController(), new AbortController()];
  const asked = [ask(first), ask(last)];
  await Promise.resolve();
  first.abort();
  await asked[0];
  assert.equal(begun[0].aborted, false);
  last.abort();
  await asked[1];
  assert.deepEqual([begun[0].aborted, names.pendingCount], [true, 0]);
  await names.settled();
  const again = new AbortController();
  const askedAgain = ask(again);
  names.promise();
  await Promise.resolve();
  again.abort();
  await askedAgain;
  assert.deepEqual([begun.length, begun[1].aborted], [2, false]);
  await names.stop();
});

test('past the limit, names that came first go', async () => {
  const demangle: Demangle = async (names) => names.map((name) => name.slice(2));
  const names = new Demangler({ demangle: () => demangle, logger, namesMax: 2 });
  for (const name of ['_Z1', '_Z2', '_Z3']) {
    names.demangled(line(name));
    await names.settled();
  }
  assert.equal(names.demangled(line('_Z3'))?.functionName, '3');
  assert.equal(names.demangled(line('_Z1')), undefined);
  await names.stop();
});

test('mangled names are known by their beginning', () => {
  const all = ['_Z3foo', '__Z3foo', '___Z3foo', '_RNv', '_start', 'main', '__libc', 'R', '_'];
  assert.deepEqual(all.filter(isMangled), ['_Z3foo', '__Z3foo', '___Z3foo', '_RNv']);
});
