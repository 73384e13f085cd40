// Converts a file of any known format to profiles; the content determines the format.
import { AppError } from '../../base/errors.ts';
import { decodeChromeCpuProfile } from '../chrome-cpu-profile/decode.ts';
import { decodeCollapsed } from '../collapsed/decode.ts';
import { decodePerfScript } from '../perf-script/decode.ts';
import { decodeFirefoxProfile } from '../firefox-profile/decode.ts';
import { decodeGperftoolsCpu, isGperftoolsCpu } from '../gperftools/decode-cpu.ts';
import { decodeGperftoolsHeap } from '../gperftools/decode-heap.ts';
import { isJfr } from '../jfr/chunks.ts';
import { decodeJfr } from '../jfr/decode.ts';
import { isText } from '../is-text.ts';
import { detectPacking } from '../packing.ts';
import { plausibleTimeNanosMin, type PprofHead, readPprofHead, withTimes } from '../pprof/head.ts';
import { subtractEarlier } from '../pprof/subtract.ts';
import { decodeSpeedscope } from '../speedscope/decode.ts';
import {
  type ImportContext,
  type ImportedProfile,
  refuseMeaning,
} from '../reading/imported-profile.ts';
import { decodeStackTree } from '../collapsed/decode-tree.ts';
import { earlierFramesMax } from '../limits.ts';
import { parseJson } from '../reading/json.ts';
import { nameOfPprof } from './pprof-name.ts';
import type { SkippedLines } from '../reading/skipped-lines.ts';
import { detectTextKind } from './text-kind.ts';

/** Formats that can be read. */
export type ImportFormat =
  | 'pprof'
  | 'collapsed'
  | 'lines'
  | 'trie'
  | 'tree'
  | 'perf-script'
  | 'speedscope'
  | 'firefox'
  | 'chrome-cpu-profile'
  | 'gperftools-cpu'
  | 'gperftools-heap'
  | 'jfr';

/** The format of a file, and its parsed content if it was parsed to detect the format. */
export interface RecognisedFile {
  readonly format: ImportFormat;
  readonly json?: unknown;
}

const known =
  'pprof, JFR, collapsed stacks, perf script, speedscope, gperftools, Firefox and V8 CPU profiles are known';
/** Number of bytes that are read at the start of a file to tell JSON from other text. */
const sniffedBytes = 256;

/** Profiles of a file, and the lines that could not be read. */
export interface ImportedContent {
  readonly profiles: readonly ImportedProfile[];
  readonly skipped?: SkippedLines | undefined;
  /** Sentence for the sender about content that was left out. */
  readonly note?: string | undefined;
}

/**
 * Converts an uncompressed file to profiles.
 *
 * Errors: AppError 'invalid-argument' for an unknown format and for invalid content.
 */
export function importProfile(
  bytes: Uint8Array,
  context: ImportContext,
  { format, json }: RecognisedFile = recognise(bytes),
): ImportedContent {
  switch (format) {
    case 'pprof': {
      refuseMeaning(context, 'a pprof profile says itself');
      const head = context.pprofHead ?? readPprofHead(bytes);
      const name = context.name ?? nameOfPprof(bytes, head);
      const { earlier } = context;
      const pprof =
        earlier === undefined ? bytes : subtractEarlier(bytes, earlier, earlierFramesMax);
      return { profiles: [{ name, labels: [], pprof: timed(pprof, head, context) }] };
    }
    case 'collapsed':
    case 'lines': {
      const form = format === 'lines' ? 'lines' : 'folded';
      const { profile, skipped } = decodeCollapsed(bytes, context, form);
      return { profiles: [profile], skipped };
    }
    case 'trie':
    case 'tree':
      return { profiles: [decodeStackTree(bytes, context, format)] };
    case 'perf-script':
      return decodePerfScript(bytes, context);
    case 'speedscope':
      return { profiles: decodeSpeedscope(json ?? parseFile(bytes, format), context) };
    case 'firefox':
      return { profiles: decodeFirefoxProfile(json ?? parseFile(bytes, format), context) };
    case 'chrome-cpu-profile':
      refuseMeaning(context, 'a CPU profile of V8 says itself');
      return { profiles: [decodeChromeCpuProfile(json ?? parseFile(bytes, format), context)] };
    case 'gperftools-cpu':
      return { profiles: [decodeGperftoolsCpu(bytes, context, context.buildIds)] };
    case 'gperftools-heap': {
      const { profile, skipped } = decodeGperftoolsHeap(bytes, context, context.buildIds);
      return { profiles: [profile], skipped };
    }
    case 'jfr': {
      const content = decodeJfr(bytes, context);
      if (content.profiles.length > 0 || context.mayBeEmpty) return content;
      throw new AppError('invalid-argument', 'cannot read JFR: it has no samples of a profile');
    }
    default:
      format satisfies never;
      throw new AppError('internal', `cannot import profile: format ${String(format)} is unknown`);
  }
}

/**
 * Gives a profile the sender's time if it has no plausible time of its own. A profile without a
 * duration describes a state.
 */
function timed(pprof: Uint8Array, head: PprofHead, { timeNanos }: ImportContext): Uint8Array {
  const isUnknown = head.timeNanos < plausibleTimeNanosMin;
  return isUnknown && timeNanos !== 0n ? withTimes(pprof, { timeNanos }) : pprof;
}

/** Detects the format of uncompressed content. Errors: as in importProfile. */
export function recognise(bytes: Uint8Array): RecognisedFile {
  if (bytes.length === 0) throw invalid('it is empty');
  if (isJfr(bytes)) return { format: 'jfr' };
  if (!isText(bytes)) {
    const kind = detectPacking(bytes);
    if (kind !== undefined) throw invalid('why' in kind ? kind.why : `it is ${kind.packing}`);
    return { format: isGperftoolsCpu(bytes) ? 'gperftools-cpu' : 'pprof' };
  }
  const text = new TextDecoder().decode(bytes.subarray(0, sniffedBytes));
  return /^\s*\{/.test(text) ? recogniseJson(bytes) : { format: detectTextFormat(bytes) };
}

/** Kinds of JSON that are recognized by their fields but cannot be read. */
const unreadJson: readonly (readonly [fields: readonly string[], why: string])[] = [
  [['traceEvents'], 'it is a trace of Chrome; save the CPU profile of its Performance panel'],
  [['snapshot', 'nodes', 'strings'], 'it is a heap snapshot of V8, not a profile'],
  [['head', 'samples'], 'it is a heap profile of V8 (.heapprofile), which is not read'],
  [['dhatFileVersion'], 'it is a profile of DHAT, which is not read'],
  [['format', 'profileJSON'], 'it is a profile of the old Firefox add-on; open and save it again'],
];

function recogniseJson(bytes: Uint8Array): RecognisedFile {
  const file = parseJson(bytes, 'cannot read profile');
  if (file.has('shared') && file.has('profiles')) return { format: 'speedscope', json: file.value };
  if (file.has('meta') && file.has('threads')) return { format: 'firefox', json: file.value };
  if (file.has('nodes') && file.has('timeDeltas'))
    return { format: 'chrome-cpu-profile', json: file.value };
  const kind = unreadJson.find(([fields]) => fields.every((field) => file.has(field)));
  throw invalid(kind?.[1] ?? 'it is JSON of an unknown kind');
}

function parseFile(bytes: Uint8Array, format: ImportFormat): unknown {
  return parseJson(bytes, `cannot read ${format} file`).value;
}

/** Detects the format of a text file. */
function detectTextFormat(bytes: Uint8Array): ImportFormat {
  const kind = detectTextKind(bytes);
  if ('format' in kind) return kind.format;
  throw invalid(kind.why);
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot read profile: ${why}; ${known}`);
}
