// Tests that the server accepts the presets, and that their expressions match the right names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileSearch } from '../../../src/model/pattern.ts';
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { presetGroups } from './presets.ts';
import { listStages, setOwn, togglePreset } from './stages.ts';

const presets = presetGroups.flatMap((group) => group.presets);

test('there are nine presets, and each is a query of its own', () => {
  assert.equal(presets.length, 9);
  for (const { name, stages } of presets) {
    const query = `cpu | ${stages.join(' | ')}`;
    assert.equal(parseQuery(query).stages.length, stages.length, name);
    assert.deepEqual(
      listStages(query).map(({ text }) => text),
      stages,
      name,
    );
  }
});

test('the expressions of presets fit what they are about', () => {
  const check = (name: string, stage: number, fits: string[], others: string[]): void => {
    const found = parseQuery(
      `cpu | ${presets.find((one) => one.name === name)?.stages[stage] ?? ''}`,
    ).stages[0];
    assert.ok('condition' in found && found.condition !== undefined && 'text' in found.condition);
    const isFound = compileSearch(found.condition.text);
    for (const text of fits) assert.ok(isFound(text), `${name}: ${text}`);
    for (const text of others) assert.ok(!isFound(text), `${name}: not ${text}`);
  };
  check(
    'Idle',
    0,
    ['(idle)', 'runtime.gopark', 'epoll_wait', '__poll', 'jdk.internal.misc.Unsafe.park'],
    ['main.idleLoop', 'pollOnce', 'selectUser', 'runtime.mallocgc', 'Futex.wake'],
  );
  check('Idle', 1, ['do_idle', 'swapper/0'], ['do_idle_work', 'my_cpu_startup_entry']);
  check(
    'libc',
    0,
    ['libc.so.6', 'libc-2.31.so', 'ld-linux-x86-64.so.2', 'ld-musl-x86_64.so.1', 'libm.so.6'],
    ['libcrypto.so.3', 'libmy.so', 'c.so', 'libclang.so'],
  );
  check(
    'Futures and tasks',
    0,
    [
      'core::future::from_fn',
      '<core::pin::Pin<P> as core::future::Future>::poll',
      'tokio::runtime::run',
      'processTicksAndRejections',
    ],
    ['my::tokio::runtime', 'core::str::len', 'std::panic_free'],
  );
});

test('a preset is added with what own code is, and removed again', () => {
  const [mine] = presets.filter(({ name }) => name === 'My code');
  const added = togglePreset('cpu{job="a"} | invert', mine.stages, ['/srv/']);
  assert.equal(added, 'cpu{job="a"} | invert | own ("/srv/") | frame keep kind equals "own code"');
  assert.equal(
    togglePreset(added, mine.stages, ['/srv/']),
    'cpu{job="a"} | invert | own ("/srv/")',
  );
  const [idle] = presets;
  assert.equal(togglePreset(togglePreset('cpu', idle.stages, []), idle.stages, []), 'cpu');
});

test('own code is set before all stages', () => {
  const check = (query: string, own: string[], want: string) =>
    assert.equal(setOwn(query, own), want);
  check('cpu', ['a', 'b"'], 'cpu | own ("a", "b\\"")');
  check('cpu | invert', ['a'], 'cpu | own ("a") | invert');
  check('cpu | own ("x") | invert', ['a'], 'cpu | own ("a") | invert');
  check('cpu | own ("x") | invert', [], 'cpu | invert');
  check(
    'diff(cpu | own ("x"), cpu) | top 3',
    ['a'],
    'diff(cpu | own ("x"), cpu) | own ("a") | top 3',
  );
});
