// Translates stacks and sample labels of one dictionary to equal stacks and labels of another
// dictionary.
import { grown } from '../column.ts';
import type { Dictionary } from '../dictionary.ts';
import { hashLine } from '../content-hash.ts';
import { mixHash } from '../hash-index.ts';
import { StackHasher } from '../stack-hash.ts';
import type { ShownLine, ShownLines } from './shown-lines.ts';
import { SymbolTranslator } from './symbol-translator.ts';
import type {
  FunctionIndex,
  LocationIndex,
  MappingIndex,
  NodeIndex,
  SampleLabelsIndex,
  StackIndex,
} from '../rows.ts';
import type { SampleLabelEntry } from '../sample-labels-table.ts';

/**
 * Key that identifies the stacks of a dictionary: the hash of their frames, as in ingest, or their
 * innermost node, which is faster. All stacks of a dictionary use the same type of key.
 */
type StackKey = 'frames' | 'node';

const wordValues = 0x1_0000_0000;

/**
 * Finds or adds the rows of `to` that are equal to rows of `from`. Each row is translated on
 * demand, and only once.
 *
 * With the stack key `node`, only translators add rows to `to`, from any number of dictionaries;
 * with `frames`, ingest also adds rows.
 *
 * Stand-ins for lost rows stay separate: two stacks of one `from` never get the same translation.
 */
export class DictionaryTranslator {
  readonly #from: Dictionary;
  readonly #to: Dictionary;
  // Rows of `to` by row of `from`; 0 = not translated yet. Row 0 means "none" in both dictionaries.
  #locations = new Int32Array(0);
  #nodes = new Int32Array(0);
  #stacks = new Int32Array(0);
  #labelSets = new Int32Array(0);
  #path = new Int32Array(64);
  readonly #stackKey: StackKey;
  readonly #shown: ShownLines | undefined;
  readonly #hasher = new StackHasher();
  readonly #symbols: SymbolTranslator;
  /** Mapping of `to` and address of the location that is being added. */
  #target = 0 as MappingIndex;
  #low = 0;
  #high = 0;

  /**
   * Creates a translator. `shown` has lines and addresses that replace those in `from`; each
   * location is looked up in it once.
   */
  constructor(from: Dictionary, to: Dictionary, stackKey: StackKey = 'node', shown?: ShownLines) {
    this.#from = from;
    this.#to = to;
    this.#stackKey = stackKey;
    this.#shown = shown;
    this.#symbols = new SymbolTranslator(from, to);
  }

  /** Returns the stack of `to` that equals a stack of `from`. */
  stack(row: number): StackIndex {
    const known = this.#stacks[row];
    if (known > 0 || row === 0) return (row === 0 ? 0 : known) as StackIndex;
    this.#stacks = grown(this.#stacks, row + 1);
    const added = this.#addStack(this.#from.stacks.leaf[row]);
    this.#stacks[row] = added;
    return added;
  }

  /**
   * Translates `stacks` from position `from` on into `translated`, up to the first stack that was
   * not translated before. Returns the position of that stack, or the number of stacks.
   */
  fillKnown(stacks: Uint32Array, from: number, translated: Uint32Array): number {
    const known = this.#stacks;
    const { length } = known;
    let at = from;
    for (; at < stacks.length; at += 1) {
      const row = stacks[at];
      const to = row < length ? known[row] : 0;
      if (to === 0 && row !== 0) break;
      translated[at] = to;
    }
    return at;
  }

  /**
   * Looks up the lines to show again, for the locations that have changed since number `since`.
   * Stacks that contain such a location are translated again when they are next used. Returns the
   * number of trie nodes of `to` that stacks of `from` no longer use.
   */
  renewLines(since: number): number {
    const renewed = this.#shown?.renew(since) ?? [];
    const isOther = new Uint8Array(this.#from.locations.length);
    let areOthers = false;
    for (const [row, lines] of renewed) {
      const location = this.#addWithLines(row, lines);
      if (location === this.#locations[row]) continue;
      this.#locations[row] = location;
      isOther[row] = 1;
      areOthers = true;
    }
    return areOthers ? this.#forgetNodes(isOther) : 0;
  }

  /**
   * Forgets the nodes that have a location in `isOther`, the nodes below them, and the stacks that
   * end in such nodes.
   */
  #forgetNodes(isOther: Uint8Array): number {
    const { nodeParent, nodeLocation, nodeCount, leaf, length } = this.#from.stacks;
    const nodes = this.#nodes;
    const stacks = this.#stacks;
    const isForgotten = new Uint8Array(nodeCount);
    let count = 0;
    const nodeEnd = Math.min(nodes.length, nodeCount);
    for (let node = 1; node < nodeEnd; node += 1) {
      if ((isForgotten[nodeParent[node]] | isOther[nodeLocation[node]]) === 0) continue;
      isForgotten[node] = 1;
      if (nodes[node] !== 0) count += 1;
      nodes[node] = 0;
    }
    const stackEnd = Math.min(stacks.length, length);
    for (let row = 1; row < stackEnd; row += 1) if (isForgotten[leaf[row]] === 1) stacks[row] = 0;
    return count;
  }

  /** Rows of `to` by location of `from`; 0 = not translated yet. */
  get translatedLocations(): Int32Array {
    return this.#locations;
  }

  /** Returns the label set of `to` that equals a label set of `from`. */
  sampleLabels(row: number): SampleLabelsIndex {
    const known = this.#labelSets[row];
    if (known > 0 || row === 0) return (row === 0 ? 0 : known) as SampleLabelsIndex;
    this.#labelSets = grown(this.#labelSets, row + 1);
    const { entryStart, key, text, number, unit } = this.#from.sampleLabels;
    const entries: SampleLabelEntry[] = [];
    for (let i = entryStart[row]; i < entryStart[row + 1]; i += 1) {
      entries.push({
        key: this.#symbols.string(key[i]),
        text: this.#symbols.string(text[i]),
        number: number[i],
        unit: this.#symbols.string(unit[i]),
      });
    }
    const added = this.#to.sampleLabels.intern(entries.sort(compareEntries));
    this.#labelSets[row] = added;
    return added;
  }

  #addStack(leaf: number): StackIndex {
    const { stacks } = this.#to;
    // A stand-in without frames is not equal to any other stack.
    if (leaf === 0) return stacks.addLeaf(stacks.length, 1, 0 as NodeIndex);
    const node = this.#node(leaf);
    let low: number = node;
    let high = ~node;
    if (this.#stackKey === 'frames') {
      this.#hashFrames(node);
      [low, high] = [this.#hasher.low[0], this.#hasher.high[0]];
    }
    const known = stacks.find(low, high);
    return known === 0 ? stacks.addLeaf(low, high, node) : known;
  }

  /** Hashes the locations from a node of `to` up to the root. */
  #hashFrames(leaf: NodeIndex): void {
    const { nodeParent, nodeLocation, seedLow, seedHigh } = this.#to.stacks;
    let depth = 0;
    for (let node: number = leaf; node !== 0; node = nodeParent[node]) {
      this.#path = grown(this.#path, depth + 1);
      this.#path[depth] = nodeLocation[node];
      depth += 1;
    }
    this.#hasher.hash(this.#path, depth, seedLow, seedHigh);
  }

  #node(leaf: number): NodeIndex {
    const { nodeParent, nodeLocation, nodeCount } = this.#from.stacks;
    this.#nodes = grown(this.#nodes, nodeCount);
    const nodes = this.#nodes;
    let count = 0;
    let at = leaf;
    for (; nodes[at] === 0 && at !== 0; at = nodeParent[at]) {
      this.#path = grown(this.#path, count + 1);
      this.#path[count] = at;
      count += 1;
    }
    let row = nodes[at] as NodeIndex;
    for (let i = count - 1; i >= 0; i -= 1) {
      const node = this.#path[i];
      row = this.#child(row, nodeLocation[node]);
      nodes[node] = row;
    }
    return row;
  }

  #child(parent: NodeIndex, location: number): NodeIndex {
    const { stacks } = this.#to;
    if (location !== 0) return stacks.child(parent, this.#location(location));
    stacks.addUnknownNode();
    return (stacks.nodeCount - 1) as NodeIndex;
  }

  #location(row: number): LocationIndex {
    const known = this.#locations[row];
    if (known > 0) return known as LocationIndex;
    this.#locations = grown(this.#locations, row + 1);
    const added = this.#addWithLines(row, this.#shown?.find(row));
    this.#locations[row] = added;
    return added;
  }

  /** Finds or adds a location with the given lines, or with its own lines if they are undefined. */
  #addWithLines(row: number, lines: readonly ShownLine[] | undefined): LocationIndex {
    this.#place(row);
    return lines === undefined ? this.#addByLines(row) : this.#addNamed(lines);
  }

  /**
   * Sets the mapping and the address of the location to add. For a location without lines, the bias
   * is subtracted from both, so that the address is the address in the binary file.
   */
  #place(row: number): void {
    const { mapping, addressLow, addressHigh, lineStart } = this.#from.locations;
    const isBare = lineStart[row] === lineStart[row + 1];
    const bias = isBare ? (this.#shown?.findBias(row) ?? 0) : 0;
    if (bias === 0) {
      this.#target = this.#symbols.mapping(mapping[row]);
      this.#low = addressLow[row];
      this.#high = addressHigh[row];
      return;
    }
    this.#target = this.#symbols.movedMapping(mapping[row], bias);
    const address = addressHigh[row] * wordValues + addressLow[row] - bias;
    this.#low = address % wordValues;
    this.#high = Math.floor(address / wordValues);
  }

  /** Adds a location with lines. The last line is the outermost; the others are inlined. */
  #addNamed(lines: readonly ShownLine[]): LocationIndex {
    const { locations, functions } = this.#to;
    const rows = lines.map(({ functionName, systemName, fileName, startLine }) =>
      functions.intern(
        this.#symbols.text(functionName),
        this.#symbols.text(systemName),
        this.#symbols.text(fileName),
        startLine,
      ),
    );
    let hash = lines.length;
    lines.forEach(({ line, column }, i) => {
      hash = mixHash(mixHash(mixHash(hash, rows[i]), line), column);
    });
    for (; ; hash = mixHash(hash, 1)) {
      const known = locations.find(this.#target, this.#low, this.#high, hash);
      if (known === 0) break;
      // The known location may have no lines: its hash is then 0, which may also be the hash of
      // lines.
      if (this.#hasLines(known, rows, lines)) return known;
    }
    const added = locations.add(this.#target, this.#low, this.#high, hash);
    lines.forEach(({ line, column }, i) => locations.addLine(rows[i], line, column));
    return added;
  }

  /**
   * Returns true if a location of `to` has the given lines. `rows` are the functions of the lines.
   */
  #hasLines(
    location: LocationIndex,
    rows: readonly FunctionIndex[],
    lines: readonly ShownLine[],
  ): boolean {
    const { lineStart, lineFunction, lineNumber, lineColumn } = this.#to.locations;
    const start = lineStart[location];
    return (
      lineStart[location + 1] - start === lines.length &&
      lines.every(
        ({ line, column }, i) =>
          lineFunction[start + i] === rows[i] &&
          lineNumber[start + i] === line &&
          lineColumn[start + i] === column,
      )
    );
  }

  /**
   * Finds or adds a location with its own lines. The hash of the lines depends on the rows of
   * functions, which differ between dictionaries. Lines are also compared, because a 32-bit hash is
   * too short to distinguish all locations. For locations that ingest may also add, the hash is the
   * same as in ingest.
   */
  #addByLines(row: number): LocationIndex {
    const isByContent = this.#stackKey === 'frames' && this.#from.isKnownByAddress(row);
    const first = isByContent ? this.#hashContent(row) : this.#hashLines(row);
    for (let hash = first; ; hash = mixHash(hash, 1)) {
      const added = this.#addLocation(row, hash);
      if (this.#equalLines(row, added)) return added;
    }
  }

  #addLocation(row: number, linesHash: number): LocationIndex {
    const { lineStart } = this.#from.locations;
    const { locations } = this.#to;
    const known = locations.find(this.#target, this.#low, this.#high, linesHash);
    if (known !== 0) return known;
    const added = locations.add(this.#target, this.#low, this.#high, linesHash);
    for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) this.#addLine(row, line);
    return added;
  }

  #equalLines(row: number, target: LocationIndex): boolean {
    const theirs = this.#from.locations;
    const ours = this.#to.locations;
    const count = theirs.lineStart[row + 1] - theirs.lineStart[row];
    if (ours.lineStart[target + 1] - ours.lineStart[target] !== count) return false;
    let their = theirs.lineStart[row];
    const end = ours.lineStart[target + 1];
    for (let our = ours.lineStart[target]; our < end; our += 1, their += 1) {
      if (ours.lineFunction[our] !== this.#symbols.function(theirs.lineFunction[their]))
        return false;
      if (ours.lineNumber[our] !== theirs.lineNumber[their]) return false;
      if (ours.lineColumn[our] !== theirs.lineColumn[their]) return false;
      if (ours.isInlined(target, our) !== theirs.isInlined(row, their)) return false;
    }
    return true;
  }

  #hashContent(row: number): number {
    const { lineStart, lineFunction, lineNumber, lineColumn } = this.#from.locations;
    let hash = lineStart[row + 1] - lineStart[row];
    for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) {
      const called = this.#symbols.functionHash(lineFunction[line]);
      hash = hashLine(hash, called, lineNumber[line], lineColumn[line]);
    }
    return hash;
  }

  #hashLines(row: number): number {
    const { lineStart, lineFunction, lineNumber, lineColumn } = this.#from.locations;
    let hash = lineStart[row + 1] - lineStart[row];
    for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) {
      hash = mixHash(hash, this.#symbols.function(lineFunction[line]));
      hash = mixHash(mixHash(hash, lineNumber[line]), lineColumn[line]);
    }
    return hash;
  }

  #addLine(row: number, line: number): void {
    const { locations } = this.#from;
    const { lineFunction, lineNumber, lineColumn, lineStart } = locations;
    const target = this.#symbols.function(lineFunction[line]);
    this.#to.locations.addLine(target, lineNumber[line], lineColumn[line]);
    const isInlined = locations.isInlined(row, line);
    const isLast = line + 1 === lineStart[row + 1];
    if (isInlined === isLast) this.#to.locations.markInlined(isInlined);
  }
}

/** Compares entries. The order does not depend on the order of rows in `from`. */
function compareEntries(a: SampleLabelEntry, b: SampleLabelEntry): number {
  if (a.key !== b.key) return a.key - b.key;
  if (a.text !== b.text) return a.text - b.text;
  if (a.number !== b.number) return a.number < b.number ? -1 : 1;
  return a.unit - b.unit;
}
