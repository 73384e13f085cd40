// Frames with all that profiles say of them, for the naive evaluation of filters and of grouping.
import type { OracleStack } from './oracle.ts';

export interface OracleFrame {
  /** What reports show; "" for a frame without symbols, of which only the address is known. */
  readonly name: string;
  readonly systemName: string;
  readonly fileName: string;
  readonly line: number;
  readonly address: bigint;
  /** Path and build id of the binary; undefined when it is not known. */
  readonly binary: { readonly path: string; readonly buildId: string } | undefined;
}

/** Frames from the root, and a value. */
export interface FrameStack {
  readonly frames: readonly OracleFrame[];
  readonly value: bigint;
}

/** Stacks of the texts that tell frames apart when a report is grouped by `fields`. */
export function named(stacks: readonly FrameStack[], fields: readonly string[]): OracleStack[] {
  return stacks.map(({ frames, value }) => ({
    frames: frames.map((frame) => frameText(frame, fields)),
    value,
  }));
}

/** What a report that is grouped by `fields` says of a frame. */
export function frameText(
  frame: Pick<OracleFrame, 'name' | 'fileName' | 'address'> & {
    readonly binary: { readonly path: string } | undefined;
  },
  fields: readonly string[],
): string {
  const address = `0x${frame.address.toString(16)}`;
  const path = frame.binary?.path ?? '';
  if (frame.name === '') return `${address}@${path}`;
  const parts = [frame.name];
  if (fields.includes('function_file_name')) parts.push(`file=${frame.fileName}`);
  if (fields.includes('mapping_file')) parts.push(`binary=${path}`);
  if (fields.includes('location_address')) parts.push(`at=${address}`);
  return parts.join(' ');
}

/** All that is known of a frame. */
export function wholeText({ address, binary, ...frame }: OracleFrame): string {
  const { name, systemName, fileName, line } = frame;
  return [name, systemName, fileName, line, address, binary?.path, binary?.buildId].join('|');
}
