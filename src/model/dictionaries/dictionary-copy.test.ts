// Tests of copies of dictionaries: a copy has the same content as the dictionary, even after the
// dictionary has grown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { addRows, nothingCopied, rowsSince } from './dictionary-copy.ts';
import { Dictionary } from '../dictionary.ts';
import type { LocationIndex, MappingIndex, StringIndex } from '../rows.ts';

/** Adds random stacks. Their locations have up to three lines. */
function addStacks(dictionary: Dictionary, seed: number, count: number): void {
  const { strings, functions, mappings, locations, stacks } = dictionary;
  const random = seededRandom(seed);
  const below = (end: number): number => randomBelow(random, end);
  const text = (value: string): StringIndex => strings.internText(value);
  for (let i = 0; i < count; i += 1) {
    const file = text(`lib${below(4)}`);
    const mapping: MappingIndex = mappings.intern(0, 0, 9, 0, 0, 0, file, text('id'));
    const frames: LocationIndex[] = [];
    for (let frame = 0; frame < 1 + below(6); frame += 1) {
      const address = seed * 1_000_000 + i * 10 + frame;
      locations.find(mapping, address, 0, 1);
      frames.push(locations.add(mapping, address, 0, 1));
      for (let line = below(4); line > 0; line -= 1) {
        const name = text(`f${below(20)}é`);
        locations.addLine(functions.intern(name, name, file, below(5)), below(100), 0);
      }
    }
    const id = stacks.length;
    stacks.add(id, ~id, frames);
  }
  dictionary.deriveCallNodes();
}

/** Returns every stack as a string, leaf first. */
function printStacks({ strings, functions, mappings, locations, stacks }: Dictionary): string[] {
  return Array.from({ length: stacks.length }, (_, stack) => {
    const frames: string[] = [];
    for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
      const location = stacks.nodeLocation[node];
      const file = mappings.fileName[locations.mapping[location]] as StringIndex;
      frames.push(`${locations.addressLow[location]} ${strings.text(file)}`);
      const end = locations.lineStart[location + 1];
      for (let line = locations.lineStart[location]; line < end; line += 1) {
        const name = functions.name[locations.lineFunction[line]] as StringIndex;
        frames.push(`${strings.text(name)}:${locations.lineNumber[line]}`);
      }
    }
    return frames.join(' ');
  });
}

test('a copy has the contents of its dictionary after each step', () => {
  const dictionary = new Dictionary([1, 2, 3]);
  const copy = new Dictionary([0, 0, 0]);
  let copied = nothingCopied;
  for (const [step, count] of [0, 3, 1, 500, 40].entries()) {
    addStacks(dictionary, step + 1, count);
    const rows = rowsSince(dictionary, copied);
    if (rows !== undefined) {
      addRows(copy, structuredClone(rows));
      copied = rows.to;
    }
    assert.equal(rowsSince(dictionary, copied), undefined);
    copy.deriveCallNodes();
    assert.deepEqual(printStacks(copy), printStacks(dictionary));
    const { callNodes, callNodeOfNode, stacks } = dictionary;
    assert.equal(copy.callNodes.length, callNodes.length);
    assert.deepEqual(
      copy.callNodeOfNode.subarray(0, stacks.nodeCount),
      callNodeOfNode.subarray(0, stacks.nodeCount),
    );
    for (const name of ['f3é', 'f19é', 'lib2', 'none']) {
      assert.equal(copy.strings.findText(name), dictionary.strings.findText(name), name);
    }
  }
});
