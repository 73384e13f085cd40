// Encodes flame graphs as nested messages: Parca's first two forms, which old clients request.
import Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { wordsOf } from '../../base/int64.ts';
import { nestedReportDepthMax } from '../../base/limits.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import { noValue } from '../../report/tree/describe-frames.ts';
import { idOf } from './encode-functions.ts';

type Flamegraph = parca.query.v1alpha1.Flamegraph.$Properties;
type Meta = parca.query.v1alpha1.FlamegraphNodeMeta.$Properties;

interface Node {
  readonly cumulative: Long;
  /** Difference to the base; diffs only. */
  readonly diff?: Long;
  readonly meta: Meta;
  readonly children: Node[];
}

/** Encodes FLAMEGRAPH_UNSPECIFIED, in which every node has its own location and function. */
export function encodeNestedFlameGraph(graph: FlameGraph, unit: string): Flamegraph {
  const frames = new NestedFrames(graph);
  return encode(graph, unit, (row) => frames.messagesOf(row));
}

/** Encodes FLAMEGRAPH_TABLE, in which nodes refer to shared tables of locations and functions. */
export function encodeFlameGraphTable(graph: FlameGraph, unit: string): Flamegraph {
  const frames = new NestedFrames(graph);
  const nodes = encode(graph, unit, (row) => ({ locationIndex: frames.locationOf(row) }));
  return { ...nodes, ...frames.tables() };
}

/**
 * Encodes a graph without the frames that are nested too deep for readers; their callers keep the
 * values.
 */
function encode(graph: FlameGraph, unit: string, metaOf: (row: number) => Meta): Flamegraph {
  const { rowCount, parent, depth, height } = graph;
  const words = wordsOf(graph.cumulative);
  const diffs = graph.diff && wordsOf(graph.diff);
  const nodes: Node[] = [];
  for (let row = 0; row < rowCount && depth[row] <= nestedReportDepthMax; row += 1) {
    const cumulative = Long.fromBits(words[row * 2], words[row * 2 + 1]);
    const node: Node = {
      cumulative,
      ...(diffs && { diff: Long.fromBits(diffs[row * 2], diffs[row * 2 + 1]) }),
      meta: row === 0 ? {} : metaOf(row),
      children: [],
    };
    if (row > 0) nodes[parent[row]].children.push(node);
    nodes.push(node);
  }
  const [{ meta: _, ...root }] = nodes;
  return { root, total: root.cumulative, unit, height };
}

/** Numbers distinct keys from 1, and keeps a row for each. */
class Numbering {
  readonly rows: number[] = [];
  readonly #known = new Map<string, number>();

  /** Returns the number of `key`; `row` is a row of the graph with this key. */
  numberOf(key: string, row: number): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = this.rows.push(row);
    this.#known.set(key, number);
    return number;
  }
}

/** Numbers functions, mappings and locations of rows from 1; 0 means none, or several in a row. */
class NestedFrames {
  readonly #graph: FlameGraph;
  readonly #functions = new Numbering();
  readonly #mappings = new Numbering();
  readonly #locations = new Numbering();
  /** Numbers by StringIndex; "" comes first. */
  readonly #strings = new Map<number, number>([[0, 0]]);

  constructor(graph: FlameGraph) {
    this.#graph = graph;
  }

  locationOf(row: number): number {
    const { line, addressLow, addressHigh } = this.#graph;
    const owners = [this.#functionOf(row), this.#mappingOf(row)];
    const key = [...owners, line[row], addressLow[row], addressHigh[row]].join();
    return this.#locations.numberOf(key, row);
  }

  /** Returns a row's own location, function, line and mapping. */
  messagesOf(row: number): Meta {
    const mappingId = idOf(this.#mappingOf(row));
    const functionId = idOf(this.#functionOf(row));
    const id = idOf(this.locationOf(row));
    const meta: Meta = { location: { id, address: this.#addressOf(row), mappingId } };
    if (mappingId !== '') {
      const { mappingFile, buildId } = this.#graph;
      const file = this.#text(mappingFile[row]);
      meta.mapping = { id: mappingId, file, buildId: this.#text(buildId[row]) };
    }
    if (functionId !== '') {
      const { functionName, systemName, fileName } = this.#graph;
      meta.function = {
        id: functionId,
        name: this.#text(functionName[row]),
        systemName: this.#text(systemName[row]),
        filename: this.#text(fileName[row]),
        startLine: this.#startLineOf(row),
      };
      meta.line = { functionId, line: this.#lineOf(row) };
    }
    return meta;
  }

  /** Returns the tables of everything numbered so far, indexed by number. */
  tables(): Pick<Flamegraph, 'locations' | 'function' | 'mapping' | 'stringTable'> {
    const { functionName, systemName, fileName, mappingFile, buildId } = this.#graph;
    const locations = this.#locations.rows.map((row) => {
      const functionIndex = this.#functionOf(row);
      return {
        address: this.#addressOf(row),
        mappingIndex: this.#mappingOf(row),
        lines: functionIndex === 0 ? [] : [{ functionIndex, line: this.#lineOf(row) }],
      };
    });
    const functions = this.#functions.rows.map((row) => ({
      nameStringIndex: this.#stringOf(functionName[row]),
      systemNameStringIndex: this.#stringOf(systemName[row]),
      filenameStringIndex: this.#stringOf(fileName[row]),
      startLine: this.#startLineOf(row),
    }));
    const mapping = this.#mappings.rows.map((row) => ({
      fileStringIndex: this.#stringOf(mappingFile[row]),
      buildIdStringIndex: this.#stringOf(buildId[row]),
    }));
    const stringTable = Array.from(this.#strings.keys(), (string) => this.#text(string));
    return { locations, function: functions, mapping, stringTable };
  }

  #functionOf(row: number): number {
    const { functionName, systemName, fileName, startLine } = this.#graph;
    if (functionName[row] === noValue) return 0;
    const key = [functionName[row], systemName[row], fileName[row], startLine[row]].join();
    return this.#functions.numberOf(key, row);
  }

  #mappingOf(row: number): number {
    const { mappingFile, buildId } = this.#graph;
    if (mappingFile[row] === noValue && buildId[row] === noValue) return 0;
    return this.#mappings.numberOf(`${mappingFile[row]},${buildId[row]}`, row);
  }

  #stringOf(string: number): number {
    if (string === noValue) return 0;
    const index = this.#strings.get(string) ?? this.#strings.size;
    this.#strings.set(string, index);
    return index;
  }

  #text(string: number): string {
    return string === noValue ? '' : this.#graph.strings.text(string as StringIndex);
  }

  #addressOf(row: number): Long {
    const { addressLow, addressHigh } = this.#graph;
    return Long.fromBits(addressLow[row] | 0, addressHigh[row] | 0, true);
  }

  #lineOf(row: number): Long {
    return Long.fromInt(Math.max(0, this.#graph.line[row]));
  }

  #startLineOf(row: number): Long {
    return Long.fromInt(Math.max(0, this.#graph.startLine[row]));
  }
}
