// The tables of a Firefox Profiler thread: stacks as a trie, frames, functions, binaries, strings.
import { AppError } from '../../base/errors.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { FunctionIndex, LocationIndex, StringIndex } from '../../model/rows.ts';
import { addressName, functionName } from '../frame-names.ts';

/** `resourceTable.type` of a binary. */
const libraryResource = 1;

/**
 * Tables with only the rows that the requested stacks need. They grow as stacks are requested.
 */
export class FirefoxTables {
  readonly #dictionary: Dictionary;
  readonly #stackCountMax: number;
  /** Row in `stackTable` of each trie node that was added. */
  readonly #stackOfNode = new Map<number, number>();
  /** Row of the outermost frame of each location; its inlined calls follow. */
  readonly #frameOfLocation = new Map<number, number>();
  readonly #functions = new Map<string, number>();
  readonly #resources = new Map<number, number>();
  readonly #strings = new Map<string, number>();
  readonly #stackFrame: number[] = [];
  readonly #stackPrefix: (number | null)[] = [];
  readonly #frameAddress: number[] = [];
  readonly #frameInlineDepth: number[] = [];
  readonly #frameFunction: number[] = [];
  readonly #frameLine: (number | null)[] = [];
  readonly #frameColumn: (number | null)[] = [];
  readonly #functionText: number[] = [];
  readonly #functionResource: number[] = [];
  readonly #functionFile: (number | null)[] = [];
  readonly #functionLine: (number | null)[] = [];
  readonly #resourceText: number[] = [];

  constructor(dictionary: Dictionary, stackCountMax: number) {
    this.#dictionary = dictionary;
    this.#stackCountMax = stackCountMax;
  }

  /**
   * Returns the row of a stack in `stackTable`; null for the empty stack.
   *
   * Errors: AppError 'resource-exhausted' if there are too many stacks.
   */
  internStack(stack: number): number | null {
    const { leaf, nodeParent } = this.#dictionary.stacks;
    const missing: number[] = [];
    let node = leaf[stack];
    while (node !== 0 && !this.#stackOfNode.has(node)) {
      missing.push(node);
      node = nodeParent[node];
    }
    let row = this.#stackOfNode.get(node) ?? null;
    for (const one of missing.reverse()) {
      row = this.#addNode(one, row);
      this.#stackOfNode.set(one, row);
    }
    return row;
  }

  /** Returns the tables by their names in the format. */
  toJson(): object {
    const zeros = (length: number): number[] => Array<number>(length).fill(0);
    const nulls = (length: number): null[] => Array<null>(length).fill(null);
    const no = (length: number): boolean[] => Array<boolean>(length).fill(false);
    const stackCount = this.#stackFrame.length;
    const frameCount = this.#frameFunction.length;
    const functionCount = this.#functionText.length;
    const resourceCount = this.#resourceText.length;
    return {
      stackTable: {
        frame: this.#stackFrame,
        prefix: this.#stackPrefix,
        category: zeros(stackCount),
        subcategory: zeros(stackCount),
        length: stackCount,
      },
      frameTable: {
        address: this.#frameAddress,
        inlineDepth: this.#frameInlineDepth,
        category: zeros(frameCount),
        subcategory: zeros(frameCount),
        func: this.#frameFunction,
        nativeSymbol: nulls(frameCount),
        innerWindowID: zeros(frameCount),
        implementation: nulls(frameCount),
        line: this.#frameLine,
        column: this.#frameColumn,
        length: frameCount,
      },
      funcTable: {
        name: this.#functionText,
        isJS: no(functionCount),
        relevantForJS: no(functionCount),
        resource: this.#functionResource,
        fileName: this.#functionFile,
        lineNumber: this.#functionLine,
        columnNumber: nulls(functionCount),
        length: functionCount,
      },
      resourceTable: {
        lib: nulls(resourceCount),
        name: this.#resourceText,
        host: nulls(resourceCount),
        type: Array<number>(resourceCount).fill(libraryResource),
        length: resourceCount,
      },
      nativeSymbols: { libIndex: [], address: [], name: [], functionSize: [], length: 0 },
      stringArray: [...this.#strings.keys()],
    };
  }

  /** Adds a row for each call of the node's location, outermost first; returns the innermost. */
  #addNode(node: number, prefix: number | null): number {
    const { stacks, locations } = this.#dictionary;
    const location = stacks.nodeLocation[node];
    const lineCount = locations.lineStart[location + 1] - locations.lineStart[location];
    const frame = this.#internFrame(location);
    let row = prefix;
    for (let depth = 0; depth < Math.max(1, lineCount); depth += 1) {
      this.#stackFrame.push(frame + depth);
      this.#stackPrefix.push(row);
      row = this.#stackFrame.length - 1;
    }
    if (this.#stackFrame.length > this.#stackCountMax) {
      const why = `it has more than ${this.#stackCountMax} stack nodes; select less`;
      throw new AppError('resource-exhausted', `cannot export profile as firefox: ${why}`);
    }
    return this.#stackFrame.length - 1;
  }

  #internFrame(location: number): number {
    const known = this.#frameOfLocation.get(location);
    if (known !== undefined) return known;
    const first = this.#frameFunction.length;
    this.#frameOfLocation.set(location, first);
    const { locations } = this.#dictionary;
    const start = locations.lineStart[location];
    const end = locations.lineStart[location + 1];
    if (start === end) this.#addFrame(this.#addressFunction(location), 0, 0, 0);
    for (let line = end - 1; line >= start; line -= 1) {
      const target = this.#lineFunction(locations.lineFunction[line], location);
      const depth = end - 1 - line;
      this.#addFrame(target, depth, locations.lineNumber[line], locations.lineColumn[line]);
    }
    return first;
  }

  /** Adds a frame. A line or column of 0 means that it is unknown. */
  #addFrame(target: number, inlineDepth: number, line: number, column: number): void {
    // The address is left out. Otherwise the viewer would look it up in symbol files, although the
    // name already says everything that is known.
    this.#frameAddress.push(-1);
    this.#frameFunction.push(target);
    this.#frameInlineDepth.push(inlineDepth);
    this.#frameLine.push(line === 0 ? null : line);
    this.#frameColumn.push(column === 0 ? null : column);
  }

  #lineFunction(row: number, location: number): number {
    const { functions, strings } = this.#dictionary;
    const name = functionName(this.#dictionary, row as FunctionIndex);
    const file = strings.text(functions.fileName[row] as StringIndex);
    return this.#internFunction(name, file, functions.startLine[row], location);
  }

  #addressFunction(location: number): number {
    return this.#internFunction(
      addressName(this.#dictionary, location as LocationIndex),
      '',
      0,
      location,
    );
  }

  /**
   * Returns the row of a function. As in the viewer, equal functions in different binaries are
   * different functions.
   */
  #internFunction(name: string, file: string, line: number, location: number): number {
    const resource = this.#internResource(this.#dictionary.locations.mapping[location]);
    const key = JSON.stringify([name, file, line, resource]);
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const row = this.#functionText.length;
    this.#functions.set(key, row);
    this.#functionText.push(this.#internString(name));
    this.#functionResource.push(resource);
    this.#functionFile.push(file === '' ? null : this.#internString(file));
    this.#functionLine.push(line === 0 ? null : line);
    return row;
  }

  /** Returns the row of a binary; -1 for one without a name. */
  #internResource(mapping: number): number {
    const { mappings, strings } = this.#dictionary;
    const fileName = mappings.fileName[mapping];
    if (fileName === 0) return -1;
    const known = this.#resources.get(fileName);
    if (known !== undefined) return known;
    const row = this.#resourceText.length;
    this.#resources.set(fileName, row);
    this.#resourceText.push(this.#internString(strings.text(fileName as StringIndex)));
    return row;
  }

  #internString(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const row = this.#strings.size;
    this.#strings.set(text, row);
    return row;
  }
}
