// The top table: values by function name, whoever called it.
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { HashIndex, mixHash } from '../model/hash-index.ts';
import type { StringIndex } from '../model/rows.ts';
import type { CallTree } from './call-tree.ts';
import { differs, FrameFacts } from './frame-facts.ts';

/**
 * One row per function name (per location where there are no lines), by flat value descending and
 * then by name.
 *
 * A recursive function counts once in `cumulative`; inlined functions count like others. The fact
 * columns say 0 where the frames of a row disagree.
 */
export interface Top {
  readonly rowCount: number;
  readonly dictionary: Dictionary;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** StringIndex of the function's name, 0 for a row without lines. */
  readonly name: Int32Array;
  /** LocationIndex. */
  readonly location: Int32Array;
  /** MappingIndex. */
  readonly mapping: Int32Array;
  /** FunctionIndex. */
  readonly function: Int32Array;
  /** Source line. */
  readonly line: Int32Array;
}

/** Sums a tree by function name; the tree's keys are those of CallNodeTable. */
export function buildTop(dictionary: Dictionary, tree: CallTree): Top {
  const sums = new KeySums();
  const { length, key, outermost, flat, cumulative } = tree;
  const words = new Int32Array(cumulative.buffer);
  const flatWords = new Int32Array(flat.buffer);
  const target = new Int32Array(length);
  for (let row = 1; row < length; row += 1) {
    const at = row * 2;
    if ((words[at] | words[at + 1] | flatWords[at] | flatWords[at + 1]) === 0) continue;
    const slot = sums.slotOf(key[row]);
    target[row] = slot + 1;
    sums.flat[slot] += flat[row];
    if (outermost[row] === 1) sums.cumulative[slot] += cumulative[row];
  }
  const facts = new FrameFacts(dictionary, sums.length);
  facts.collect(tree.sources, tree.parent, target);
  const order = sortSlots(dictionary, sums);
  const pick = (of: (slot: number) => number): Int32Array => Int32Array.from(order, of);
  const unlessDiffers = (slot: number, bit: number, value: number): number =>
    (facts.differs[slot] & bit) === 0 ? value : 0;
  const { locations } = dictionary;
  const lineFact = (slot: number, bit: number, column: Int32Array): number => {
    const line = facts.line[slot];
    return line === -1 ? 0 : unlessDiffers(slot, bit, column[line]);
  };
  return {
    rowCount: order.length,
    dictionary,
    flat: pickValues(sums.flat, order),
    cumulative: pickValues(sums.cumulative, order),
    name: pick((slot) => nameOfKey(sums.keys[slot])),
    location: pick((slot) => unlessDiffers(slot, differs.location, facts.location[slot])),
    mapping: pick((slot) =>
      unlessDiffers(slot, differs.mapping, locations.mapping[facts.location[slot]]),
    ),
    function: pick((slot) => lineFact(slot, differs.function, locations.lineFunction)),
    line: pick((slot) => lineFact(slot, differs.line, locations.lineNumber)),
  };
}

/** Sums by call node key, in the order in which the keys come. */
class KeySums {
  length = 0;
  keys = new Uint32Array(256);
  flat = new BigInt64Array(256);
  cumulative = new BigInt64Array(256);
  private readonly index = new HashIndex(1024);

  slotOf(key: number): number {
    const { index } = this;
    const hash = mixHash(0x1b873593, key);
    let at = hash & index.mask;
    for (let row = index.slots[at]; row !== 0; row = index.slots[at]) {
      if (this.keys[row - 1] === key) return row - 1;
      at = (at + 1) & index.mask;
    }
    const slot = this.length;
    this.length = slot + 1;
    this.keys = grown(this.keys, slot + 1);
    this.flat = grown(this.flat, slot + 1);
    this.cumulative = grown(this.cumulative, slot + 1);
    this.keys[slot] = key;
    index.insert(at, hash, slot + 1);
    return slot;
  }
}

function nameOfKey(key: number): number {
  return key % 2 === 0 ? key / 2 : 0;
}

function sortSlots({ strings, locations }: Dictionary, sums: KeySums): Uint32Array {
  const flat = Float64Array.from(sums.flat.subarray(0, sums.length), Number);
  const names = Array.from(sums.keys.subarray(0, sums.length), (key) => {
    if (key % 2 === 0) return strings.text((key / 2) as StringIndex);
    // Without a name: by address, after all names.
    const location = (key - 1) / 2;
    const address =
      locations.addressHigh[location] * 0x1_0000_0000 + locations.addressLow[location];
    return `\uffff${address.toString(16).padStart(16, '0')}`;
  });
  const slots = Uint32Array.from(names, (_, slot) => slot);
  const used = slots.filter((slot) => sums.flat[slot] !== 0n || sums.cumulative[slot] !== 0n);
  return used.sort((a, b) => {
    if (flat[a] !== flat[b]) return flat[b] - flat[a];
    return names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : 0;
  });
}

function pickValues(from: BigInt64Array, order: Uint32Array): BigInt64Array {
  const values = new BigInt64Array(order.length);
  for (let i = 0; i < order.length; i += 1) values[i] = from[order[i]];
  return values;
}
