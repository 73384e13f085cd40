// Encodes flame graphs as nested messages: Parca's first two forms, which old clients request.
import Long from 'long';
import type { parca } from '../../../proto/gen/query.js';
import { asWords } from '../../base/int64.ts';
import { nestedReportDepthMax } from '../limits.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { StringTable } from '../../model/string-table.ts';
import type { FlameGraph } from '../../report/flame-graph.ts';
import { type FrameColumns, noValue } from '../../report/tree/describe-frames.ts';
import { formatId } from './encode-functions.ts';

type Flamegraph = parca.query.v1alpha1.Flamegraph.$Properties;
type Meta = parca.query.v1alpha1.FlamegraphNodeMeta.$Properties;

interface Node {
  readonly cumulative: Long;
  /** Value minus the base's value; only set in diffs. */
  readonly diff?: Long;
  readonly meta: Meta;
  readonly children: Node[];
}

/** Encodes FLAMEGRAPH_UNSPECIFIED, in which every node has its own location and function. */
export function encodeNestedFlameGraph(graph: FlameGraph, unit: string): Flamegraph {
  const frames = new NestedFrames(graph);
  return encode(graph, unit, (row) => frames.readMeta(graph.frame[row]));
}

/** Encodes FLAMEGRAPH_TABLE, in which nodes refer to shared tables of locations and functions. */
export function encodeFlameGraphTable(graph: FlameGraph, unit: string): Flamegraph {
  const frames = new NestedFrames(graph);
  const nodes = encode(graph, unit, (row) => ({
    locationIndex: frames.internLocation(graph.frame[row]),
  }));
  return { ...nodes, ...frames.tables() };
}

/**
 * Encodes a graph without the frames that are nested too deeply for protobuf readers; the values of
 * their callers do not change.
 */
function encode(graph: FlameGraph, unit: string, readMeta: (row: number) => Meta): Flamegraph {
  const { rowCount, parent, depth, height } = graph;
  const words = asWords(graph.cumulative);
  const diffs = graph.diff && asWords(graph.diff);
  const nodes: Node[] = [];
  for (let row = 0; row < rowCount && depth[row] <= nestedReportDepthMax; row += 1) {
    const cumulative = Long.fromBits(words[row * 2], words[row * 2 + 1]);
    const node: Node = {
      cumulative,
      ...(diffs && { diff: Long.fromBits(diffs[row * 2], diffs[row * 2 + 1]) }),
      meta: row === 0 ? {} : readMeta(row),
      children: [],
    };
    if (row > 0) nodes[parent[row]].children.push(node);
    nodes.push(node);
  }
  const [{ meta: _, ...root }] = nodes;
  return { root, total: root.cumulative, unit, height };
}

/** Numbers distinct keys from 1, and stores one frame for each key. */
class Numbering {
  readonly frames: number[] = [];
  readonly #known = new Map<string, number>();

  /** Returns the number of `key`; `frame` is a frame of the graph with this key. */
  intern(key: string, frame: number): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const number = this.frames.push(frame);
    this.#known.set(key, number);
    return number;
  }
}

/**
 * Numbers the functions, mappings and locations of frames from 1. The number 0 means that a frame
 * has none, or several.
 */
class NestedFrames {
  readonly #frames: FrameColumns;
  readonly #texts: StringTable;
  readonly #functions = new Numbering();
  readonly #mappings = new Numbering();
  readonly #locations = new Numbering();
  /** Numbers of strings, by StringIndex; "" has number 0. */
  readonly #strings = new Map<number, number>([[0, 0]]);

  constructor({ frames, strings }: FlameGraph) {
    this.#frames = frames;
    this.#texts = strings;
  }

  /** Returns the number of the location of a frame. */
  internLocation(frame: number): number {
    const { line, addressLow, addressHigh } = this.#frames;
    const owners = [this.#internFunction(frame), this.#internMapping(frame)];
    const key = [...owners, line[frame], addressLow[frame], addressHigh[frame]].join();
    return this.#locations.intern(key, frame);
  }

  /** Returns the location, function, line and mapping of a frame. */
  readMeta(frame: number): Meta {
    const mappingId = formatId(this.#internMapping(frame));
    const functionId = formatId(this.#internFunction(frame));
    const id = formatId(this.internLocation(frame));
    const meta: Meta = { location: { id, address: this.#address(frame), mappingId } };
    if (mappingId !== '') {
      const { mappingFile, buildId } = this.#frames;
      const file = this.#text(mappingFile[frame]);
      meta.mapping = { id: mappingId, file, buildId: this.#text(buildId[frame]) };
    }
    if (functionId !== '') {
      const { functionName, systemName, fileName } = this.#frames;
      meta.function = {
        id: functionId,
        name: this.#text(functionName[frame]),
        systemName: this.#text(systemName[frame]),
        filename: this.#text(fileName[frame]),
        startLine: this.#startLine(frame),
      };
      meta.line = { functionId, line: this.#line(frame) };
    }
    return meta;
  }

  /** Returns the tables of all frames numbered so far, indexed by number. */
  tables(): Pick<Flamegraph, 'locations' | 'function' | 'mapping' | 'stringTable'> {
    const { functionName, systemName, fileName, mappingFile, buildId } = this.#frames;
    const locations = this.#locations.frames.map((frame) => {
      const functionIndex = this.#internFunction(frame);
      return {
        address: this.#address(frame),
        mappingIndex: this.#internMapping(frame),
        lines: functionIndex === 0 ? [] : [{ functionIndex, line: this.#line(frame) }],
      };
    });
    const functions = this.#functions.frames.map((frame) => ({
      nameStringIndex: this.#internString(functionName[frame]),
      systemNameStringIndex: this.#internString(systemName[frame]),
      filenameStringIndex: this.#internString(fileName[frame]),
      startLine: this.#startLine(frame),
    }));
    const mapping = this.#mappings.frames.map((frame) => ({
      fileStringIndex: this.#internString(mappingFile[frame]),
      buildIdStringIndex: this.#internString(buildId[frame]),
    }));
    const stringTable = Array.from(this.#strings.keys(), (string) => this.#text(string));
    return { locations, function: functions, mapping, stringTable };
  }

  #internFunction(frame: number): number {
    const { functionName, systemName, fileName, startLine } = this.#frames;
    if (functionName[frame] === noValue) return 0;
    const key = [functionName[frame], systemName[frame], fileName[frame], startLine[frame]].join();
    return this.#functions.intern(key, frame);
  }

  #internMapping(frame: number): number {
    const { mappingFile, buildId } = this.#frames;
    if (mappingFile[frame] === noValue && buildId[frame] === noValue) return 0;
    return this.#mappings.intern(`${mappingFile[frame]},${buildId[frame]}`, frame);
  }

  #internString(string: number): number {
    if (string === noValue) return 0;
    const index = this.#strings.get(string) ?? this.#strings.size;
    this.#strings.set(string, index);
    return index;
  }

  #text(string: number): string {
    return string === noValue ? '' : this.#texts.text(string as StringIndex);
  }

  #address(frame: number): Long {
    const { addressLow, addressHigh } = this.#frames;
    return Long.fromBits(addressLow[frame] | 0, addressHigh[frame] | 0, true);
  }

  #line(frame: number): Long {
    return Long.fromInt(Math.max(0, this.#frames.line[frame]));
  }

  #startLine(frame: number): Long {
    return Long.fromInt(Math.max(0, this.#frames.startLine[frame]));
  }
}
