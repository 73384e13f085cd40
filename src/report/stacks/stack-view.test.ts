// Tests that processing many stacks together gives the same result as processing them one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dictionary } from '../../model/dictionary.ts';
import type { FunctionIndex } from '../../model/rows.ts';
import { randomStacks } from '../testing/random-stacks.ts';
import type { FrameCriteria, TextCondition } from './frame-criteria.ts';
import { plainView, type StackView } from './stack-view.ts';
import { ViewedStacks } from './viewed-stacks.ts';

function printStack({ strings, functions, locations, stacks }: Dictionary, stack: number): string {
  if (stack === -1) return 'dropped';
  const names: string[] = [];
  for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
    const location = stacks.nodeLocation[node];
    for (
      let line = locations.lineStart[location];
      line < locations.lineStart[location + 1];
      line += 1
    ) {
      const name = functions.displayName(locations.lineFunction[line] as FunctionIndex);
      names.push(strings.text(name));
    }
  }
  return names.join(' ');
}

function name(operator: TextCondition['operator'], wanted: string): FrameCriteria {
  return { functionName: { operator, isNegated: false, texts: [wanted] } };
}

const has1: StackView = { ...plainView, stackFilters: [name('contains', '1')] };
const no3: StackView = {
  ...plainView,
  frameFilters: [{ functionName: { operator: 'contains', isNegated: true, texts: ['3'] } }],
};
const only2: StackView = {
  ...plainView,
  frameFilters: [{ anyName: { operator: 'matches', isNegated: false, texts: ['2'] } }],
};
const from8: StackView = { ...plainView, sandwich: 'f8' };
const root8: StackView = { ...plainView, fold: { kind: 'root', functionName: 'f8' } };
const runs: StackView = { ...plainView, fold: { kind: 'run', criteria: name('contains', '1') } };
const once: StackView = { ...plainView, fold: { kind: 'recursion' } };
const inverted: StackView = { ...plainView, isInverted: true };

test('views of all stacks are those of each, and equal stacks become one', () => {
  const dictionary = randomStacks();
  const all = Int32Array.from({ length: dictionary.stacks.length }, (_, stack) => stack);
  const pipelines: readonly (readonly StackView[])[] = [
    [has1],
    [no3],
    [only2],
    [from8],
    [inverted],
    [root8],
    [runs],
    [once],
    [no3, has1],
    [has1, only2],
    [from8, no3],
    [inverted, no3, has1],
    [no3, inverted],
    [once, runs, inverted, root8],
  ];
  for (const views of pipelines) {
    const single = new ViewedStacks(dictionary, views);
    const want = Array.from(all, (stack) => printStack(single.dictionary, single.view(stack)));
    const together = new ViewedStacks(dictionary, views);
    // First a few stacks, which are processed one by one; then all others together.
    const lists = [all.slice(0, 20), all.slice(20)];
    for (const list of lists) together.viewAll([list]);
    const rows = lists.flatMap((list) => [...list]);
    assert.deepEqual(
      rows.map((row) => printStack(together.dictionary, row)),
      want,
    );
    if (!together.areRewritten) continue;
    const distinct = new Set(want.filter((frames) => frames !== 'dropped')).size;
    assert.equal(new Set(rows.filter((row) => row !== -1)).size, distinct);
  }
});

test('a view of no stack that stays is nothing', () => {
  const dictionary = randomStacks();
  const list = Int32Array.of(1, 2, 3);
  new ViewedStacks(dictionary, [{ ...plainView, stackFilters: [name('equal', 'none')] }]).viewAll([
    list,
  ]);
  assert.deepEqual([...list], [-1, -1, -1]);
});
