// Forms of the lines that `perf script` prints, with any fields chosen by -F.
//
// A header has command, process, CPU, flags, time, period and event, each of which may be missing.
// A frame has an address, then a symbol with an offset, and a file in parentheses. Source:
// https://github.com/torvalds/linux/blob/master/tools/perf/builtin-script.c

/** Fields of a sample; undefined if perf did not print them. */
export interface PerfHeader {
  readonly comm: string | undefined;
  readonly pid: string | undefined;
  readonly nanos: bigint | undefined;
  readonly period: bigint | undefined;
  readonly event: string | undefined;
  /**
   * The rest of the line after the event, which is the only frame of a sample without a call chain.
   */
  readonly rest: string;
}

/** One call. */
export interface PerfFrame {
  readonly symbol: string;
  /** File of the frame; "" if perf did not print it or does not know it. */
  readonly binary: string;
}

/** A line of source code. */
export interface PerfSourceLine {
  readonly file: string;
  readonly line: number;
}

/**
 * Length in characters above which a line is not a header. The limit is needed because any text is
 * matched with the header's pattern.
 */
const headerLengthMax = 4_096;
const eventForm = String.raw`([A-Za-z][\w.,=/@~-]*(?::[\w-]+)*):(?:\s+(.*))?$`;
const timedForm = new RegExp(
  String.raw`^\s*(?:(\S.*?)\s+)?(?:(\d+)(?:[/ ]+\d+)?\s+)(?:\[\d+\]\s+)?(?:[A-Za-z]{1,4}\s+)?` +
    String.raw`(\d+)\.(\d+):\s+(?:(\d+)\s+)?${eventForm}`,
);
const untimedForm = new RegExp(
  String.raw`^\s*(?:(\S.*?)\s+)??(?:(\d+)(?:/\d+)?\s+)?(?:\[\d+\]\s+)?(?:(\d+)\s+)?${eventForm}`,
);
const bareForm = /^\s*(?:(\S.*?)\s+)??(\d+)(?:\/\d+)?\s*$/;
/** Matches modifiers that perf adds to the name of an event. */
const modifierForm = /:[ukhpPSDeGHIWb]+$/;

/** Matches a frame with a file. Android's simpleperf prints a tab after the address. */
const callForm = /^\s*[0-9a-f]{1,16}[ \t](.*) \(([^()]*(?:\([^()]*\)[^()]*)*)\)$/;
/**
 * Matches a frame without a file. Only the indent distinguishes it from numbers that perf prints
 * after the frames.
 */
const shortCallForm = /^(?:\t| {8})\s*[0-9a-f]{1,16}(?: (?:\(([^()]+)\)|(\S.*)))?$/;
const offsetForm = /\+0x[0-9a-f]+$/;
const sourceForm = /^ {2}(\S.*):(\d{1,9})(?: \(discriminator \d+\))?$/;
/** Matches positions that perf prints for a frame without a known line. */
const unknownSourceForm = /^ {2}(?::0|\S.*\[[0-9a-f]+\])$/;
/** Matches lines that can only be frames, to recognize a script without times. */
const surelyFrame = /^\s+(?=[a-f]*\d)[0-9a-f]{3,16} \S.*$/;

/** Returns true if a line can only be the header of a sample, with a time and an event. */
export function isPerfHeader(text: string): boolean {
  return readTimedHeader(text) !== undefined;
}

/**
 * Returns true if two lines can only be the header of a sample without a time, and its first frame.
 */
export function isUntimedSample(header: string, frame: string): boolean {
  if (!surelyFrame.test(frame) || readFrame(frame) === undefined) return false;
  // If no header field is printed, the header is an empty line.
  const isEmpty = header.trim() === '' && frame.startsWith('\t');
  return isEmpty || readUntimedHeader(header) !== undefined || bareForm.test(header);
}

/** Returns true if a line can only be a sample without a time and with one frame. */
export function isUntimedLine(text: string): boolean {
  const rest = readUntimedHeader(text)?.rest ?? '';
  return surelyFrame.test(` ${rest}`) && rest.endsWith(')') && readFrame(rest) !== undefined;
}

/** Reads a header with a time and an event. */
export function readTimedHeader(text: string): PerfHeader | undefined {
  const match = text.length <= headerLengthMax ? timedForm.exec(text) : null;
  if (match === null) return undefined;
  const [, comm, pid, seconds, fraction, period, event, rest = ''] = match;
  const nanos = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
  return { comm, pid, nanos, period: parsePeriod(period), event: plainEvent(event), rest };
}

/** Reads a header with an event. */
export function readUntimedHeader(text: string): PerfHeader | undefined {
  const match = text.length <= headerLengthMax ? untimedForm.exec(text) : null;
  if (match === null) return undefined;
  const [, comm, pid, period, event, rest = ''] = match;
  const nanos = undefined;
  return { comm, pid, nanos, period: parsePeriod(period), event: plainEvent(event), rest };
}

/** Reads a line before frames as a header, which has at least a command. */
export function readBareHeader(text: string): PerfHeader {
  const [comm, pid] = bareForm.exec(text)?.slice(1) ?? [text.trim()];
  const nothing = { nanos: undefined, period: undefined, event: undefined, rest: '' };
  return { comm: comm === '' ? undefined : comm, pid, ...nothing };
}

/** Reads a frame. */
export function readFrame(text: string): PerfFrame | undefined {
  const call = callForm.exec(text);
  if (call !== null) {
    const [, symbol, binary] = call;
    const isKnown = binary !== 'inlined' && binary !== '[unknown]';
    return {
      symbol: symbol.replace(offsetForm, ''),
      binary: isKnown ? binary.replace(offsetForm, '') : '',
    };
  }
  const short = shortCallForm.exec(text);
  if (short === null) return undefined;
  const [, binary = '', symbol = '[unknown]'] = short;
  return { symbol: symbol.replace(offsetForm, ''), binary };
}

/** Returns true for a position that `-F +srcline` prints for a frame without a known line. */
export function isUnknownSource(text: string): boolean {
  return unknownSourceForm.test(text);
}

/** Reads the line of source code that `-F +srcline` prints after a frame. */
export function readSourceLine(text: string): PerfSourceLine | undefined {
  const match = sourceForm.exec(text);
  return match === null ? undefined : { file: match[1], line: Number(match[2]) };
}

function parsePeriod(digits: string | undefined): bigint | undefined {
  return digits === undefined ? undefined : BigInt(digits);
}

function plainEvent(name: string): string {
  return name.replace(modifierForm, '');
}
