// Detects the kind of a text file from its first lines: a format that can be read, or the name of
// another format.
import { isCollapsedLine } from '../collapsed/decode.ts';
import { isGperftoolsHeap } from '../gperftools/decode-heap.ts';
import { isPerfHeader, isUntimedLine, isUntimedSample } from '../perf-script/perf-lines.ts';
import { splitLines } from '../reading/lines.ts';

/** Text formats that can be read. */
export type TextFormat = 'collapsed' | 'lines' | 'perf-script' | 'gperftools-heap';

/** The format of a text file, or the name of an unsupported one. */
export type TextKind = { readonly format: TextFormat } | { readonly why: string };

/** Maximum number of lines that are read to detect the format. */
const sniffedLinesMax = 64;

/** Matches a stack of py-spy whose leaf has a file and a line, as in `<module> (app.py:13) 42`. */
const placedLine = /\S \([^()]+\.\w+:\d+\) \d+$/;

/** Beginnings of formats that are recognized but cannot be read. */
const unreadKinds: readonly (readonly [form: RegExp, why: string])[] = [
  [/^\s*<svg|^\s*<\?xml[^]*<svg/i, 'it is an SVG picture; push the data that it was made from'],
  [/^\s*<(?:!doctype|html|head|body)\b/i, 'it is an HTML page, as of a wrong path or a log-in'],
  [/^\s*<\?xml|^\s*<\w+[\s>]/, 'it is XML'],
  [
    /^(?:goroutine|heap|threadcreate|block|mutex) profile: |^--- (?:mutex|contention):?/,
    "it is Go's text form of a profile; ask for it without debug=1",
  ],
  [/^goroutine \d+ \[/, "it is a dump of Go's stacks; ask for it without debug=2"],
  [/^\s*\[\s*\{/, 'it is a list in JSON, as a trace of Chrome'],
  [/^\d{4}-\d\d-\d\d[^]*\nFull thread dump/, 'it is a thread dump of a JVM'],
];

/** Detects the kind of a text file. Errors: DecodeError for bytes that are not UTF-8. */
export function detectTextKind(bytes: Uint8Array): TextKind {
  const lines = firstLines(bytes);
  if (isPerf(lines)) return { format: 'perf-script' };
  const first = lines.find((line) => line.trim() !== '') ?? '';
  if (isGperftoolsHeap(first)) return { format: 'gperftools-heap' };
  const start = lines.join('\n');
  const content = lines.filter((line) => line.trim() !== '');
  const counted = content.filter((line) => isCollapsedLine(line));
  const areCounted = counted.length > 0 && counted.length * 2 >= content.length;
  // The first frame of a Python program is <module>, which looks like XML.
  if (areCounted && counted.some((line) => placedLine.test(line))) return { format: 'collapsed' };
  for (const [form, why] of unreadKinds) if (form.test(start)) return { why };
  if (areCounted && areStacks(counted)) return { format: 'collapsed' };
  const separated = content.filter((line) => line.includes(';'));
  if (separated.length === 0 || separated.length < content.length) {
    return { why: 'it is text of an unknown kind' };
  }
  if (isTable(content)) return { why: 'it is a table of values between semicolons, not stacks' };
  const stacks = content.filter((line) => isStack(line));
  if (stacks.length * 10 >= content.length * 9) return { format: 'lines' };
  return { why: 'it is text with semicolons, such as code, but its lines are not stacks' };
}

/** Returns the first lines without comments. */
function firstLines(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (const { text } of splitLines(bytes, 'cannot read profile')) {
    if (text.startsWith('#')) continue;
    lines.push(text);
    if (lines.length === sniffedLinesMax) break;
  }
  return lines;
}

function isPerf(lines: readonly string[]): boolean {
  return lines.some(
    (line, i) =>
      isPerfHeader(line) || isUntimedLine(line) || (i > 0 && isUntimedSample(lines[i - 1], line)),
  );
}

/**
 * Returns true if lines that end in a number are stacks with counts, and not sentences, logs or
 * tables.
 */
function areStacks(counted: readonly string[]): boolean {
  if (counted.some((line) => line.includes(';'))) return true;
  return counted.every((line) => !/\S\s+\S/.test(line.replace(/\s+\S+\s*$/, '')));
}

/** Returns true if all rows have the same number of values, and their first values all differ. */
function isTable(rows: readonly string[]): boolean {
  if (rows.length < 3) return false;
  const counts = new Set(rows.map((row) => row.split(';').length));
  const firsts = new Set(rows.map((row) => row.slice(0, row.indexOf(';'))));
  return counts.size === 1 && firsts.size === rows.length;
}

/** Matches values that cannot be function names: empty values, numbers, dates, quoted values. */
const valueForm = /^\s*(?:[-+]?[\d.,]+%?|\d{4}-\d\d-\d\d.*|".*"|'.*'|.*&\w+)?\s*$/;

function isStack(line: string): boolean {
  return line.split(';').every((frame) => !valueForm.test(frame) && isBalanced(frame));
}

/** Returns true if each bracket is closed. A line of code often has an unclosed bracket. */
function isBalanced(frame: string): boolean {
  const count = (bracket: string): number => frame.split(bracket).length;
  return count('{') === count('}') && count('(') === count(')') && !/\s=\s/.test(frame);
}
