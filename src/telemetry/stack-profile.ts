// A small pprof profile under construction: stacks of named frames with values, and its encoding.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import type { ValueType } from '../model/profile-type.ts';

/** One frame; `line` is 0 when unknown. */
export interface StackFrame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export interface StackProfileHead {
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  readonly period: number;
  readonly timeNanos: bigint;
  /** Duration of the profile; 0 for a state. */
  readonly durationNanos: bigint;
}

interface StackRow {
  /** 1-based rows of the frame table, leaf first. */
  readonly locations: readonly number[];
  readonly values: number[];
}

/** Sums values by stack. */
export class StackProfile {
  readonly #rows = new Map<string, StackRow>();
  readonly #frames = new Map<string, number>();
  readonly #frameList: StackFrame[] = [];

  /** Adds `values` (safe integers, one per sample type) at `stack`, leaf first. */
  add(stack: readonly StackFrame[], values: readonly number[]): void {
    const locations = stack.map((frame) => this.#location(frame));
    const key = locations.join(',');
    const row = this.#rows.get(key);
    if (!row) {
      this.#rows.set(key, { locations, values: [...values] });
      return;
    }
    for (const [i, value] of values.entries()) row.values[i] += value;
  }

  /** Returns an uncompressed pprof profile. Source: pprof's profile.proto. */
  encode(head: StackProfileHead): Uint8Array {
    const strings = new Map([['', 0]]);
    const text = (value: string): number => {
      const known = strings.get(value) ?? strings.size;
      strings.set(value, known);
      return known;
    };
    const writer = protobuf.Writer.create();
    const valueType = (field: number, { type, unit }: ValueType): void => {
      writer.uint32(tag(field, 2)).fork();
      writer.uint32(tag(1, 0)).uint32(text(type)).uint32(tag(2, 0)).uint32(text(unit)).ldelim();
    };
    for (const type of head.sampleTypes) valueType(1, type);
    for (const row of this.#rows.values()) writeSample(writer, row);
    for (const [i, frame] of this.#frameList.entries()) writeFrame(writer, i + 1, frame, text);
    valueType(11, head.periodType);
    for (const value of strings.keys()) writer.uint32(tag(6, 2)).string(value);
    writer.uint32(tag(9, 0)).int64(Long.fromString(head.timeNanos.toString()));
    writer.uint32(tag(10, 0)).int64(Long.fromString(head.durationNanos.toString()));
    writer.uint32(tag(12, 0)).int64(head.period);
    return writer.finish();
  }

  #location(frame: StackFrame): number {
    const key = `${frame.name}\u0000${frame.file}\u0000${frame.line}`;
    const known = this.#frames.get(key);
    if (known !== undefined) return known;
    this.#frameList.push(frame);
    this.#frames.set(key, this.#frameList.length);
    return this.#frameList.length;
  }
}

function writeSample(writer: protobuf.Writer, row: StackRow): void {
  writer.uint32(tag(2, 2)).fork();
  writer.uint32(tag(1, 2)).fork();
  for (const location of row.locations) writer.uint32(location);
  writer.ldelim().uint32(tag(2, 2)).fork();
  for (const value of row.values) writer.int64(value);
  writer.ldelim().ldelim();
}

/** Writes a frame as one location with one line, and one function of the same id. */
function writeFrame(
  writer: protobuf.Writer,
  id: number,
  frame: StackFrame,
  text: (value: string) => number,
): void {
  writer.uint32(tag(4, 2)).fork().uint32(tag(1, 0)).uint32(id);
  writer.uint32(tag(4, 2)).fork().uint32(tag(1, 0)).uint32(id);
  writer.uint32(tag(2, 0)).uint32(frame.line).ldelim().ldelim();
  writer.uint32(tag(5, 2)).fork().uint32(tag(1, 0)).uint32(id);
  writer.uint32(tag(2, 0)).uint32(text(frame.name)).uint32(tag(3, 0)).uint32(text(frame.name));
  writer.uint32(tag(4, 0)).uint32(text(frame.file)).ldelim();
}

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType;
}

const scheme = 'file://';

/** Returns the name to show: relative to the project, or to node_modules; other names stay. */
export function shownFile(file: string, projectFolder: string): string {
  const path = file.startsWith(scheme) ? decodeURI(file.slice(scheme.length)) : file;
  return path.startsWith(`${projectFolder}/`) ? path.slice(projectFolder.length + 1) : path;
}
