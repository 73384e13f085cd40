// Tests of translating rows between dictionaries: equal rows get equal translations, and different
// rows stay different.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DictionaryTranslator } from './dictionary-translator.ts';
import type { ShownLine, ShownLines } from './shown-lines.ts';
import { Dictionary } from '../dictionary.ts';
import type { LocationIndex, MappingIndex, NodeIndex, StackIndex, StringIndex } from '../rows.ts';

const none = 0 as StringIndex;

interface Frame {
  readonly build?: string;
  readonly address?: number;
  readonly linesHash: number;
  readonly lines: readonly (readonly [name: string, line: number])[];
}

let hashes = 0;

function addLocation(dictionary: Dictionary, frame: Frame): LocationIndex {
  const { strings, functions, mappings, locations } = dictionary;
  let mapping = 0 as MappingIndex;
  if (frame.build !== undefined) {
    const file = strings.internText('/bin/app');
    mapping = mappings.intern(1, 0, 9, 0, 0, 0, file, strings.internText(frame.build));
  }
  const { address = 0, linesHash } = frame;
  const known = locations.find(mapping, address, 0, linesHash);
  if (known !== 0) return known;
  const row = locations.add(mapping, address, 0, linesHash);
  for (const [name, line] of frame.lines) {
    const text = strings.internText(name);
    locations.addLine(functions.intern(text, text, none, 3), line, 2);
  }
  return row;
}

/** Adds a stack, leaf first. */
function addStack(dictionary: Dictionary, frames: readonly Frame[]): StackIndex {
  const rows = frames.map((frame) => addLocation(dictionary, frame));
  hashes += 1;
  return dictionary.stacks.add(hashes, hashes, rows);
}

/** Returns the frames of a stack as strings, leaf first. */
function describe(dictionary: Dictionary, stack: number): string[] {
  const { stacks, locations, functions, mappings, strings } = dictionary;
  const frames: string[] = [];
  for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
    const location = stacks.nodeLocation[node];
    const build = mappings.buildId[locations.mapping[location]] as StringIndex;
    let text = `${strings.text(build)}@${locations.addressLow[location]}`;
    for (let i = locations.lineStart[location]; i < locations.lineStart[location + 1]; i += 1) {
      const name = functions.name[locations.lineFunction[i]] as StringIndex;
      text += ` ${strings.text(name)}:${locations.lineNumber[i]}:${locations.lineColumn[i]}`;
    }
    frames.push(text);
  }
  return frames;
}

/** Creates ShownLines for addresses. Its `renew` looks up every shown address again. */
function showAddresses(
  from: Dictionary,
  find: (address: number) => readonly ShownLine[] | undefined,
): ShownLines {
  const found = new Map<number, readonly ShownLine[] | undefined>();
  const findAgain = (row: number) => {
    found.set(row, find(from.locations.addressLow[row]));
    return found.get(row);
  };
  return {
    find: findAgain,
    findBias: () => 0,
    renew: () => new Map([...found.keys()].map((row) => [row, findAgain(row)])),
  };
}

const main: Frame = { build: 'b1', address: 16, linesHash: 5, lines: [['main', 1]] };
const work: Frame = {
  linesHash: 6,
  lines: [
    ['inlined', 7],
    ['work', 8],
  ],
};

test('equal stacks of two dictionaries become one, with any rows', () => {
  const a = new Dictionary([1, 2, 3]);
  const b = new Dictionary([4, 5, 6]);
  b.strings.internText('shifts all rows');
  addLocation(b, { linesHash: 1, lines: [['other', 1]] });
  const inA = addStack(a, [work, main]);
  // The location is found by its lines, regardless of the hash in its dictionary.
  const inB = addStack(b, [{ ...work, linesHash: 77 }, main]);
  const callerInB = addStack(b, [main]);
  const to = new Dictionary([7, 8, 9]);
  const fromA = new DictionaryTranslator(a, to);
  const fromB = new DictionaryTranslator(b, to);
  const stack = fromA.stack(inA);
  assert.equal(fromB.stack(inB), stack);
  assert.equal(fromA.stack(inA), stack);
  assert.deepEqual(describe(to, stack), describe(a, inA));
  const caller = fromB.stack(callerInB);
  assert.equal(to.stacks.leaf[caller], to.stacks.nodeParent[to.stacks.leaf[stack]]);
  assert.deepEqual([fromA.stack(0), fromB.stack(0)], [0, 0]);
  // Only requested rows are translated.
  assert.equal(to.locations.length, 3);
});

test('the same address in another build, or with other lines, is another location', () => {
  const from = new Dictionary([1, 2, 3]);
  const frames: Frame[] = [
    main,
    { ...main, build: 'b2' },
    { ...main, linesHash: 6, lines: [] },
    { ...main, address: 32 },
    { linesHash: 1, lines: [['main', 1]] },
    { linesHash: 2, lines: [['main', 2]] },
    { linesHash: 3, lines: [] },
  ];
  const to = new Dictionary([1, 2, 3]);
  const translator = new DictionaryTranslator(from, to);
  const stacks = frames.map((frame) => addStack(from, [frame]));
  const rows = stacks.map((stack) => translator.stack(stack));
  assert.equal(new Set(rows).size, frames.length);
  assert.deepEqual(
    rows.map((row) => describe(to, row)),
    stacks.map((stack) => describe(from, stack)),
  );
});

test('rows added later to a dictionary are translated, too', () => {
  const from = new Dictionary([1, 2, 3]);
  const to = new Dictionary([1, 2, 3]);
  const translator = new DictionaryTranslator(from, to);
  for (let i = 0; i < 3000; i += 1) {
    const frame: Frame = { linesHash: i, lines: [[`f${i % 50}`, i]] };
    const stack = addStack(from, [frame, work, main]);
    assert.deepEqual(describe(to, translator.stack(stack)), describe(from, stack));
  }
});

test('equal label sets become one, in any order of their keys', () => {
  const a = new Dictionary([1, 2, 3]);
  const b = new Dictionary([1, 2, 3]);
  const internLabels = (
    { strings, sampleLabels }: Dictionary,
    names: readonly string[],
  ): number => {
    const entries = names.map((name) => ({
      key: strings.internText(name),
      text: strings.internText(`value of ${name}`),
      number: 0n,
      unit: none,
    }));
    return sampleLabels.intern(entries.sort((x, y) => x.key - y.key));
  };
  const inA = internLabels(a, ['thread', 'span']);
  const inB = internLabels(b, ['span', 'thread']);
  const to = new Dictionary([1, 2, 3]);
  const row = new DictionaryTranslator(a, to).sampleLabels(inA);
  const fromB = new DictionaryTranslator(b, to);
  assert.equal(fromB.sampleLabels(inB), row);
  assert.equal(fromB.sampleLabels(0), 0);
  assert.notEqual(fromB.sampleLabels(internLabels(b, ['span'])), row);
});

test('stand-ins of a damaged log stay apart', () => {
  const from = new Dictionary([1, 2, 3]);
  from.stacks.addUnknownNode();
  from.stacks.addUnknownNode();
  const first = from.stacks.addLeaf(1, 1, 1 as NodeIndex);
  const second = from.stacks.addLeaf(2, 2, 2 as NodeIndex);
  const bare = from.stacks.addLeaf(3, 0, 0 as NodeIndex);
  const bareToo = from.stacks.addLeaf(4, 0, 0 as NodeIndex);
  const translator = new DictionaryTranslator(from, new Dictionary([1, 2, 3]));
  const all = [first, second, bare, bareToo];
  const rows = all.map((row) => translator.stack(row));
  assert.equal(new Set([0, ...rows]).size, 5);
  assert.deepEqual(
    all.map((row) => translator.stack(row)),
    rows,
  );
});

test('names that change give other rows to the stacks that have them, and to no others', () => {
  const [from, to] = [new Dictionary([1, 2, 3]), new Dictionary([1, 2, 3])];
  const bare = (address: number): Frame => ({ build: 'ab', address, linesHash: 0, lines: [] });
  const [root, left, right] = [bare(1), bare(2), bare(3)];
  const inLeft = addStack(from, [left, root]);
  const inRight = addStack(from, [right, root]);
  const below = addStack(from, [right, left, root]);
  const known = new Map<number, string>([[3, 'right']]);
  const line = { systemName: '', fileName: '', line: 1, startLine: 0, column: 0 };
  const shown = showAddresses(from, (address) => {
    const functionName = known.get(address);
    return functionName === undefined ? undefined : [namedLine(functionName)];
  });
  const lines = new Map<string, ShownLine>();
  /** Returns the same line for the same name, like a cache. */
  function namedLine(functionName: string): ShownLine {
    const found = lines.get(functionName) ?? { ...line, functionName };
    lines.set(functionName, found);
    return found;
  }
  const translator = new DictionaryTranslator(from, to, 'node', shown);
  const all = [inLeft, inRight, below];
  const before = all.map((stack) => translator.stack(stack));
  assert.equal(translator.renewLines(0), 0);
  assert.deepEqual(
    all.map((stack) => translator.stack(stack)),
    before,
  );

  known.set(2, 'left');
  // The nodes that are no longer used are "left" and, below it, "right".
  assert.equal(translator.renewLines(0), 2);
  const translated = new Uint32Array(3);
  assert.equal(translator.fillKnown(Uint32Array.from(all), 0, translated), 0);
  assert.equal(translator.fillKnown(Uint32Array.from(all), 1, translated), 2);
  const after = all.map((stack) => translator.stack(stack));
  assert.equal(after[1], before[1]);
  assert.notEqual(after[0], before[0]);
  assert.deepEqual(describe(to, after[2]), ['ab@3 right:1:0', 'ab@2 left:1:0', 'ab@1']);
  assert.deepEqual(describe(to, before[2]), ['ab@3 right:1:0', 'ab@2', 'ab@1']);

  known.delete(2);
  assert.equal(translator.renewLines(0), 2);
  assert.deepEqual(
    all.map((stack) => translator.stack(stack)),
    before,
  );
});

test('a name whose lines have the hash of no lines is shown', () => {
  const [from, to] = [new Dictionary([1, 2, 3]), new Dictionary([1, 2, 3])];
  const stack = addStack(from, [{ build: 'ab', address: 1, linesHash: 0, lines: [] }]);
  // The location has one line without a number, in the first function of the dictionary.
  const line = { functionName: 'code', systemName: 'code', fileName: '' };
  const lines = [{ ...line, line: 0, startLine: 0, column: 0 }];
  const known = new Map<number, typeof lines>();
  const shown = showAddresses(from, (address) => known.get(address));
  const translator = new DictionaryTranslator(from, to, 'node', shown);
  assert.deepEqual(describe(to, translator.stack(stack)), ['ab@1']);
  known.set(1, lines);
  translator.renewLines(0);
  assert.deepEqual(describe(to, translator.stack(stack)), ['ab@1 code:0:0']);
});
