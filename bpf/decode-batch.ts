// Decodes a batch of the add-on. It consists of columns in one buffer, with a table of their
// positions at the start.
//
// The buffer starts with the number of sections as a uint32. Then come two uint32 per section, its
// byte offset and its byte length, in the order of `sections`. Offsets are multiples of 8. Numbers
// are little-endian.
import { AppError } from '../src/base/errors.ts';
import type {
  Binary,
  ProcessEvent,
  SampleBatch,
  SampledProcess,
  SamplerCounters,
  ScriptFunction,
} from './sampler.ts';

/** Order of the sections; `facts` is JSON with all data that is not in columns. */
const sections = [
  'timeNanos',
  'process',
  'threadId',
  'threadName',
  'cpu',
  'stack',
  'frameStart',
  'kernelFrameCount',
  'status',
  'failedAddress',
  'address',
  'binary',
  'function',
  'facts',
] as const;

/** JSON in `facts`; 64-bit numbers are decimal strings. */
interface Facts {
  readonly startNanos: string;
  readonly endNanos: string;
  readonly hasMore: boolean;
  readonly threadNames: readonly string[];
  readonly binaries: readonly (Omit<Binary, 'codeStart' | 'codeEnd'> & {
    readonly codeStart: string;
    readonly codeEnd: string;
  })[];
  readonly processes: readonly (Omit<SampledProcess, 'startNanos' | 'cgroupId'> & {
    readonly startNanos: string;
    readonly cgroupId: string;
  })[];
  readonly events: readonly (Omit<ProcessEvent, 'timeNanos'> & { readonly timeNanos: string })[];
  readonly functions: readonly ScriptFunction[];
  readonly counters: SamplerCounters;
}

/**
 * Decodes the batch in a buffer. Its columns share the buffer's memory. Errors: AppError 'internal'
 * if the layout is wrong.
 */
export function decodeBatch(buffer: ArrayBuffer): SampleBatch {
  const section = readSections(buffer);
  const words = (name: (typeof sections)[number]): Uint32Array<ArrayBuffer> => {
    const [offset, length] = section(name);
    return new Uint32Array(buffer, offset, length / 4);
  };
  const facts = readFacts(buffer, section('facts'));
  const [timeOffset, timeBytes] = section('timeNanos');
  const [statusOffset, statusBytes] = section('status');
  const [failedOffset, failedBytes] = section('failedAddress');
  const [addressOffset, addressBytes] = section('address');
  return {
    startNanos: BigInt(facts.startNanos),
    endNanos: BigInt(facts.endNanos),
    hasMore: facts.hasMore,
    samples: {
      count: timeBytes / 8,
      timeNanos: new BigInt64Array(buffer, timeOffset, timeBytes / 8),
      process: words('process'),
      threadId: words('threadId'),
      threadName: words('threadName'),
      cpu: words('cpu'),
      stack: words('stack'),
    },
    stacks: {
      count: statusBytes,
      frameStart: words('frameStart'),
      kernelFrameCount: words('kernelFrameCount'),
      status: new Uint8Array(buffer, statusOffset, statusBytes),
      failedAddress: new BigUint64Array(buffer, failedOffset, failedBytes / 8),
    },
    frames: {
      count: addressBytes / 8,
      address: new BigUint64Array(buffer, addressOffset, addressBytes / 8),
      binary: words('binary'),
      function: words('function'),
    },
    threadNames: facts.threadNames,
    functions: facts.functions,
    binaries: facts.binaries.map((binary) => ({
      ...binary,
      codeStart: BigInt(binary.codeStart),
      codeEnd: BigInt(binary.codeEnd),
    })),
    processes: facts.processes.map((process) => ({
      ...process,
      startNanos: BigInt(process.startNanos),
      cgroupId: BigInt(process.cgroupId),
    })),
    events: facts.events.map((event) => ({ ...event, timeNanos: BigInt(event.timeNanos) })),
    counters: facts.counters,
  };
}

type Section = readonly [byteOffset: number, byteLength: number];

function readSections(buffer: ArrayBuffer): (name: (typeof sections)[number]) => Section {
  const view = new DataView(buffer);
  const count = view.getUint32(0, true);
  if (count !== sections.length) {
    const why = `it has ${count} sections, not ${sections.length}; build the add-on again`;
    throw new AppError('internal', `cannot read a batch of samples: ${why}`);
  }
  return (name) => {
    const at = 4 + 8 * sections.indexOf(name);
    return [view.getUint32(at, true), view.getUint32(at + 4, true)];
  };
}

function readFacts(buffer: ArrayBuffer, [offset, length]: Section): Facts {
  return JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, offset, length)));
}
