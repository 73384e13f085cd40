// The dictionary: the tables that profiles share, and the trie that is derived from them.
import { CallTrie } from './call-trie.ts';
import { grown } from './column.ts';
import { FunctionTable } from './function-table.ts';
import { LocationTable } from './location-table.ts';
import { MappingTable } from './mapping-table.ts';
import type { CallNodeIndex, FunctionIndex, LocationIndex, NodeIndex } from './rows.ts';
import { SampleLabelsTable } from './sample-labels-table.ts';
import { StackTable } from './stack-table.ts';
import { StringTable } from './string-table.ts';

/**
 * Secret numbers from which the hashes of a dictionary start: one for most tables, and two for
 * stacks.
 */
export type Seeds = readonly [number, number, number];

/**
 * Symbols of many profiles. Tables only grow and rows never change, so that samples, log records
 * and queries can use row numbers as identities.
 *
 * Ownership: one writer (ingest through storage's appender). Readers on the same thread may keep
 * the object, but must read its arrays again after every await, because growth replaces them.
 */
export class Dictionary {
  readonly strings: StringTable;
  readonly functions: FunctionTable;
  readonly mappings: MappingTable;
  readonly locations: LocationTable;
  readonly stacks: StackTable;
  readonly sampleLabels: SampleLabelsTable;
  /**
   * The trie of function names. The key of a call with a line is `StringIndex * 2` of the
   * function's display name. The key of a call without a line, which is shown by its address, is
   * `LocationIndex * 2 + 1`. Inlined calls are separate calls, outermost first.
   */
  readonly callNodes = new CallTrie();
  /** Call node of each stack node's innermost line, up to `derivedNodes`. */
  callNodeOfNode = new Int32Array(64);
  #derivedNodes = 1;

  /**
   * Creates a dictionary. `seed` has three secret 32-bit numbers for the hash functions; a store
   * keeps the seeds for stacks. `shared` has tables to use instead of new ones.
   */
  constructor(seed: Seeds, shared?: Pick<Dictionary, 'strings' | 'functions' | 'mappings'>) {
    this.strings = shared?.strings ?? new StringTable(seed[0]);
    this.functions = shared?.functions ?? new FunctionTable();
    this.mappings = shared?.mappings ?? new MappingTable();
    this.locations = new LocationTable(seed[0]);
    this.stacks = new StackTable(seed[1], seed[2]);
    this.sampleLabels = new SampleLabelsTable(seed[0]);
  }

  /**
   * Creates a dictionary that shares strings, functions and mappings but has its own locations and
   * stacks, which exist only in one query.
   */
  createOverlay(): Dictionary {
    const { seedLow, seedHigh } = this.stacks;
    return new Dictionary([this.locations.seed, seedLow, seedHigh], this);
  }

  /**
   * Returns true if a location has a build id and an address, so that ingest looks it up by a hash
   * of the content of its lines. Ingest looks up other locations by a hash of the rows of their
   * functions.
   */
  isKnownByAddress(location: number): boolean {
    const { mapping, addressLow, addressHigh } = this.locations;
    const hasAddress = (addressLow[location] | addressHigh[location]) !== 0;
    return hasAddress && this.mappings.buildId[mapping[location]] !== 0;
  }

  /**
   * Extends the trie of function names to all stack nodes, in about 80 ns for each new node. It
   * must be called before call nodes are used.
   */
  deriveCallNodes(): void {
    const { stacks, callNodes } = this;
    if (this.#derivedNodes === stacks.nodeCount) return;
    this.callNodeOfNode = grown(this.callNodeOfNode, stacks.nodeCount);
    callNodes.reserve(this.underivedNodes);
    for (let node = this.#derivedNodes; node < stacks.nodeCount; node += 1) {
      let call = this.callNodeOfNode[stacks.nodeParent[node]];
      const location = stacks.nodeLocation[node] as LocationIndex;
      const first = this.locations.lineStart[location];
      const end = this.locations.lineStart[location + 1];
      if (first === end) {
        call = callNodes.child(call, location * 2 + 1);
      } else {
        // Lines are innermost first, and calls are added outermost first.
        for (let line = end - 1; line >= first; line -= 1) {
          const name = this.functions.displayName(
            this.locations.lineFunction[line] as FunctionIndex,
          );
          call = callNodes.child(call, name * 2);
        }
      }
      this.callNodeOfNode[node] = call;
    }
    this.#derivedNodes = stacks.nodeCount;
  }

  /** Number of stack nodes that `deriveCallNodes` has not handled. */
  get underivedNodes(): number {
    return this.stacks.nodeCount - this.#derivedNodes;
  }

  /** Memory used by all tables, in bytes, including tables shared with another dictionary. */
  get usedBytes(): number {
    const { strings, functions, mappings, locations, stacks, sampleLabels, callNodes } = this;
    const tables = [strings, functions, mappings, locations, stacks, sampleLabels, callNodes];
    return tables.reduce((sum, table) => sum + table.usedBytes, 4 * this.callNodeOfNode.length);
  }

  /**
   * Returns the call node of a stack's innermost frame, the node to which the stack's value counts
   * as flat; row 0 for the empty stack.
   */
  callNodeOfStack(stack: number): CallNodeIndex {
    return this.callNodeOfNode[this.stacks.leaf[stack] as NodeIndex] as CallNodeIndex;
  }
}
