// A small dictionary with every kind of frame: inlined, without lines, without a name.
import { Dictionary } from '../../model/dictionary.ts';
import type { MappingIndex, StackIndex, StringIndex } from '../../model/rows.ts';

export interface SmallProfile {
  readonly dictionary: Dictionary;
  /** main -> outer -> leaf (inlined into outer). */
  readonly inlined: StackIndex;
  /** `main` calls an address of libc. */
  readonly bare: StackIndex;
  /** `main` calls a function whose name has a semicolon, a quote and line breaks. */
  readonly odd: StackIndex;
}

export const oddName = 'a;b "c"\r\nd\te';

export function createSmallProfile(): SmallProfile {
  const dictionary = new Dictionary([1, 2, 3]);
  const { strings, functions, mappings, locations, stacks } = dictionary;
  const none = 0 as StringIndex;
  const text = (value: string): StringIndex => strings.internText(value);
  const named = (name: string, startLine: number): number =>
    functions.intern(text(name), none, text('main.go'), startLine);
  const binary = (path: string): MappingIndex =>
    mappings.intern(0x1000, 0, 0x9000, 0, 0, 0, text(path), none);
  const location = (
    mapping: MappingIndex,
    address: number,
    lines: readonly [string, number][],
  ): number => {
    locations.find(mapping, address, 0, 0);
    const row = locations.add(mapping, address, 0, 0);
    for (const [name, line] of lines) locations.addLine(named(name, line - 1), line, 0);
    return row;
  };
  const program = binary('/bin/program');
  const main = location(program, 0x1000, [['main', 3]]);
  const calls = location(program, 0x2000, [
    ['leaf', 21],
    ['outer', 11],
  ]);
  const address = location(binary('/usr/lib/libc.so.6'), 0x4a2f, []);
  const odd = location(program, 0x3000, [[oddName, 31]]);
  return {
    dictionary,
    inlined: stacks.add(1, 1, [calls, main]),
    bare: stacks.add(2, 2, [address, main]),
    odd: stacks.add(3, 3, [odd, main]),
  };
}
