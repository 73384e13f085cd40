// The symbols of a block equal those of the dictionary that they come from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCode } from '../../base/errors.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { finishAtOnce } from '../../base/pacer.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { MappingIndex, StringIndex } from '../../model/rows.ts';
import { DenseSymbols } from './dense-symbols.ts';
import { decodeSymbols } from './symbol-tables.ts';

const random = seededRandom(5);
const stackCount = 300;

/**
 * Returns a dictionary with stacks 1 .. stackCount. Some of their locations have a build id, an
 * address or lines, and some do not.
 */
function filled(): Dictionary {
  const dictionary = new Dictionary([1, 2, 3]);
  const { strings, functions, mappings, locations, stacks, sampleLabels } = dictionary;
  const texts = Array.from({ length: 60 }, (_, i) => strings.internText(`näme ${i}`));
  const text = (): StringIndex => texts[randomBelow(random, texts.length)];
  const rows = Array.from({ length: 200 }, () => {
    const mapping = randomBelow(random, 4);
    const mappingRow = mappings.intern(mapping, 1, mapping * 7, 0xffff_ffff, 0, 2, text(), text());
    const isKnown = randomBelow(random, 3) > 0;
    const low = isKnown ? random.uint32() : 0;
    const high = isKnown ? randomBelow(random, 3) : 0;
    const map = (isKnown ? mappingRow : 0) as MappingIndex;
    const hash = random.uint32() | 0;
    const known = locations.find(map, low, high, hash);
    if (known !== 0) return known;
    const added = locations.add(map, low, high, hash);
    for (let line = randomBelow(random, 4); line > 0; line -= 1) {
      const row = functions.intern(text(), text(), text(), randomBelow(random, 500) - 10);
      locations.addLine(row, randomBelow(random, 3) === 0 ? -1 : random.uint32() >> 1, line);
    }
    return added;
  });
  for (let i = 0; i < stackCount; i += 1) {
    const frames = Array.from(
      { length: 1 + randomBelow(random, 20) },
      () => rows[randomBelow(random, 12) * randomBelow(random, 17)],
    );
    stacks.add(i, i, frames);
    sampleLabels.intern([
      { key: text(), text: text(), number: 0n, unit: 0 as StringIndex },
      { key: text(), text: 0 as StringIndex, number: BigInt(i) - 2n ** 63n, unit: text() },
    ]);
  }
  return dictionary;
}

function stackText(dictionary: Dictionary, stack: number): string {
  const { strings, functions, mappings, locations, stacks } = dictionary;
  const name = (row: number): string => strings.text(row as StringIndex);
  let whole = '';
  for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
    const at = stacks.nodeLocation[node];
    const map = locations.mapping[at];
    const isByAddress = mappings.buildId[map] !== 0 && locations.addressLow[at] !== 0;
    whole += `${locations.addressHigh[at]}:${locations.addressLow[at]} `;
    whole += `${mappings.startLow[map]} ${mappings.limitHigh[map]} ${mappings.offsetHigh[map]} `;
    whole += `${name(mappings.fileName[map])} ${name(mappings.buildId[map])} `;
    whole += `${isByAddress ? locations.linesHash[at] : ''}`;
    for (let line = locations.lineStart[at]; line < locations.lineStart[at + 1]; line += 1) {
      const row = locations.lineFunction[line];
      whole += `[${name(functions.name[row])} ${name(functions.systemName[row])} `;
      whole += `${name(functions.fileName[row])} ${functions.startLine[row]} `;
      whole += `${locations.lineNumber[line]}:${locations.lineColumn[line]}]`;
    }
    whole += ';';
  }
  return whole;
}

function labelsText({ sampleLabels, strings }: Dictionary, row: number): string {
  const { entryStart, key, text, number, unit } = sampleLabels;
  let whole = '';
  for (let i = entryStart[row]; i < entryStart[row + 1]; i += 1) {
    for (const one of [key[i], text[i], unit[i]]) whole += `${strings.text(one as StringIndex)} `;
    whole += `${number[i]};`;
  }
  return whole;
}

async function encoded(symbols: DenseSymbols): Promise<Uint8Array[]> {
  const tables: Uint8Array[] = [];
  for await (const table of symbols.encode(async () => undefined)) tables.push(table.slice());
  return tables;
}

test('touched symbols are in the block, and no others', async () => {
  const from = filled();
  const symbols = new DenseSymbols(from);
  const stacks = new Map<number, number>();
  const sets = new Map<number, number>();
  for (let i = 0; i < 200; i += 1) {
    const stack = 1 + randomBelow(random, stackCount);
    stacks.set(stack, symbols.stack(stack));
    assert.equal(symbols.stack(stack), stacks.get(stack));
    const set = 1 + randomBelow(random, stackCount);
    sets.set(set, symbols.sampleLabels(set));
  }
  const to = finishAtOnce(decodeSymbols(await encoded(symbols)));
  assert.deepEqual([symbols.stack(0), symbols.sampleLabels(0)], [0, 0]);
  assert.equal(to.stacks.length, stacks.size + 1);
  assert.equal(to.sampleLabels.length, sets.size + 1);
  assert(to.stacks.nodeCount < from.stacks.nodeCount);
  for (const [old, now] of stacks) assert.equal(stackText(to, now), stackText(from, old));
  for (const [old, now] of sets) assert.equal(labelsText(to, now), labelsText(from, old));
  to.deriveCallNodes();
});

test('strings of a block can be looked up and added to', async () => {
  const from = filled();
  const symbols = new DenseSymbols(from);
  for (let stack = 1; stack <= stackCount; stack += 1) symbols.stack(stack);
  const { strings } = finishAtOnce(decodeSymbols(await encoded(symbols)));
  const { length } = strings;
  for (let row = 1; row < length; row += 1) {
    assert.equal(strings.internText(strings.text(row as StringIndex)), row);
  }
  assert.equal(strings.internText('new'), length);
  assert.equal(strings.internText('new'), length);
});

test('bytes that are not symbols are refused or harmless', async () => {
  const symbols = new DenseSymbols(filled());
  for (let stack = 1; stack <= 40; stack += 1) symbols.stack(stack);
  for (let set = 1; set <= 10; set += 1) symbols.sampleLabels(set);
  const tables = await encoded(symbols);
  let refused = 0;
  for (let i = 0; i < 3000; i += 1) {
    const damaged = tables.map((table) => table.slice());
    const table = damaged[randomBelow(random, damaged.length)];
    if (i % 3 === 0) damaged[i % 7] = table.subarray(0, randomBelow(random, table.length));
    else table[randomBelow(random, table.length)] = random.uint32();
    try {
      finishAtOnce(decodeSymbols(damaged)).deriveCallNodes();
    } catch (error) {
      assert.equal(errorCode(error), 'data-loss', String(error));
      refused += 1;
    }
  }
  assert(refused > 500, `${refused} refused`);
});
