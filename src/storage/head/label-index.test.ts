// Compares the candidates for matchers, with every operator, with a simple loop over all streams.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishAtOnce } from '../../base/pacer.ts';
import { randomBelow, seededRandom, type Random } from '../../base/random.ts';
import { labelValue, type Label } from '../../model/labels.ts';
import { createMatcher, type MatchOperator } from '../../model/matcher.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import { LabelIndex } from './label-index.ts';
import { LabelPairs } from '../series/label-pairs.ts';
import { StreamTable } from './stream-table.ts';
import { keyOfProfile } from '../testing/fill-head.ts';

const names = ['cluster', 'instance', 'job', 'näme'];
const profileNames = ['process_cpu', 'memory'];
const operators: readonly MatchOperator[] = ['=', '!=', '=~', '!~'];
const values = ['', 'a', 'b', 'i1', 'i22', 'a|b', '.+', '.*', 'i.*', '|a', 'memory', 'm.+'];

function pick<T>(random: Random, items: readonly T[]): T {
  return items[randomBelow(random, items.length)];
}

test('candidates are the streams whose labels match', () => {
  const random = seededRandom(4);
  const pairs = new LabelPairs(1);
  const streams = new StreamTable(pairs, 1);
  const index = new LabelIndex(pairs, streams);
  const all: { ref: number; labels: readonly Label[]; type: string }[] = [];
  for (let i = 0; i < 300; i += 1) {
    const labels = Object.fromEntries(
      names.map((name) => [name, pick(random, ['', 'a', 'b', 'é', `i${i % 40}`])]),
    );
    const name = pick(random, profileNames);
    const key = keyOfProfile({ labels, name, time: 0n, rows: [] });
    const ref = streams.intern(key);
    const [type] = streams.toStreamShape(ref).types;
    if (all.some((stream) => stream.ref === ref)) continue;
    index.add(ref, streams.readLabels(ref), streams.toStreamShape(ref));
    const named = [...key.labels, { name: '__name__', value: name }];
    all.push({ ref, labels: named, type: formatProfileType(type) });
  }
  for (let round = 0; round < 2_000; round += 1) {
    const matchers = Array.from({ length: randomBelow(random, 4) }, () =>
      createMatcher(
        pick(random, [...names, '__name__', 'absent']),
        pick(random, operators),
        pick(random, values),
      ),
    );
    const type = round % 3 === 0 ? all[0].type : undefined;
    const want = all
      .filter((stream) => type === undefined || stream.type === type)
      .filter(({ labels }) => matchers.every((m) => m.matches(labelValue(labels, m.name))))
      .map(({ ref }) => ref);
    assert.deepEqual([...finishAtOnce(index.candidates(matchers, type))], want);
  }
});

test('streams that come between two steps do no harm', () => {
  const pairs = new LabelPairs(1);
  const streams = new StreamTable(pairs, 1);
  const index = new LabelIndex(pairs, streams);
  let count = 0;
  const addMany = (): void => {
    for (let i = 0; i < 3_000; i += 1) {
      const labels = { job: `j${i % 2}`, pod: `p${count}` };
      const ref = streams.intern(keyOfProfile({ labels, time: 0n, rows: [] }));
      index.add(ref, streams.readLabels(ref), streams.toStreamShape(ref));
      count += 1;
    }
  };
  addMany();
  const check = (matchers: [string, MatchOperator, string][], isFound: (i: number) => boolean) => {
    const before = count;
    const all = matchers.map((matcher) => createMatcher(...matcher));
    const steps = index.candidates(all, undefined);
    let stepCount = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      stepCount += 1;
      addMany();
    }
    // The search takes at least one step for each 1,024 values.
    assert.ok(stepCount >= 2);
    const want = Array.from({ length: before }, (_, i) => i).filter(isFound);
    const refs = [...step.value];
    assert.deepEqual(
      refs.filter((ref) => ref <= before),
      want.map((i) => i + 1),
    );
    assert.ok(refs.slice(want.length).every((ref) => isFound(ref - 1)));
  };
  check([['pod', '=~', 'p.*7']], (i) => i % 10 === 7);
  check([['pod', '!~', 'p.*7']], (i) => i % 10 !== 7);
  // Here, fewer streams remain than the label has values.
  check(
    [
      ['job', '=', 'j1'],
      ['pod', '=~', 'p.*7'],
    ],
    (i) => i % 10 === 7,
  );
});

test('a stream whose samples have a label that it lacks is a candidate', () => {
  const pairs = new LabelPairs(1);
  const streams = new StreamTable(pairs, 1);
  const index = new LabelIndex(pairs, streams);
  for (const job of ['a', 'b', 'c']) {
    const ref = streams.intern(keyOfProfile({ labels: { job }, time: 0n, rows: [] }));
    index.add(ref, streams.readLabels(ref), streams.toStreamShape(ref));
  }
  index.addSampleName(2, 'thread');
  index.addSampleName(2, 'thread');
  const candidates = (operator: MatchOperator, value: string): number[] => [
    ...finishAtOnce(index.candidates([createMatcher('thread', operator, value)], undefined)),
  ];
  assert.deepEqual(candidates('=', 'main'), [2]);
  assert.deepEqual(candidates('=~', 'm.*'), [2]);
  assert.deepEqual(candidates('!=', 'main'), [1, 2, 3]);
  // If few streams may match and the label has many values, the value of each stream is read
  // instead.
  for (let i = 0; i < 9; i += 1) {
    const labels = { job: 'b', thread: `t${i % 5}` };
    const ref = streams.intern(keyOfProfile({ labels, name: `n${i}`, time: 0n, rows: [] }));
    index.add(ref, streams.readLabels(ref), streams.toStreamShape(ref));
  }
  const named = (name: string, operator: MatchOperator, value: string): number[] => [
    ...finishAtOnce(
      index.candidates(
        [createMatcher('__name__', '=', name), createMatcher('thread', operator, value)],
        undefined,
      ),
    ),
  ];
  assert.deepEqual(named('process_cpu', '=~', 'm.*'), [2]);
  assert.deepEqual(named('process_cpu', '!~', 'm.*'), [1, 2, 3]);
  assert.deepEqual(named('n3', '=~', 't3|t4'), [7]);
  assert.deepEqual(named('n3', '!~', 't3|t4'), []);
  assert.deepEqual(named('n3', '!=', ''), [7]);
});

test('labels are told apart by name and value, however many names there are', () => {
  const pairs = new LabelPairs(1);
  const rows = new Map<number, Label>();
  for (let i = 0; i < 70_000; i += 1) {
    const label = { name: `name${i % 700}`, value: i % 3 === 0 ? 'ÿ😀' : `value${i % 2_100}` };
    const row = pairs.intern(label.name, label.value);
    const known = rows.get(row);
    if (known === undefined) rows.set(row, label);
    else assert.deepEqual(label, known);
  }
  assert.equal(pairs.length, rows.size + 1);
  for (const [row, label] of rows) {
    assert.deepEqual(pairs.label(row), label);
    assert.equal(pairs.find(label.name, label.value), row);
  }
  assert.equal(pairs.find('name1', 'none'), 0);
  assert.equal(pairs.find('none', 'value1'), 0);
  const ofName: string[] = [];
  for (let row = pairs.lastPair('name1'); row !== 0; row = pairs.before(row)) {
    ofName.push(pairs.value(row));
  }
  assert.deepEqual(ofName.sort(), ['value1', 'value701', 'ÿ😀']);
});
