// Converts sampled addresses to the frames that are sent.
import type { Binary, SampledProcess, ScriptFunction } from '../../bpf/sampler.ts';
import type { FunctionSymbols } from '../../src/symbolize/elf-symbols.ts';
import type { BinarySymbols } from './binary-symbols.ts';
import type { Frame } from './frame.ts';
import type { JitDumps } from './jit-dumps.ts';
import type { KernelSymbols } from './kernel-symbols.ts';
import type { PerfMaps } from './perf-maps.ts';

/** Sources of names. */
export interface NameSources {
  /** Returns the current functions of the kernel. */
  kernel(): KernelSymbols;
  /** Functions of the vDSO; undefined if the vDSO cannot be read. */
  readonly vdso: FunctionSymbols | undefined;
  readonly jitDumps: JitDumps;
  readonly perfMaps: PerfMaps;
  readonly binarySymbols: BinarySymbols;
  /** Demangles C++ and Rust names, as the server does. */
  demangle(name: string): string;
  /** Returns true if the agent symbolizes the file; otherwise the server does. */
  isNamedHere(binary: Binary): boolean;
}

/** Mapping name for code that does not belong to a file, as in Parca. */
const unknownMapping = 'UNKNOWN';

/** Converts addresses of one batch to frames. */
export class FrameResolver {
  readonly #sources: NameSources;
  readonly #kernel: KernelSymbols;
  readonly #binaries: readonly Binary[];
  /** Frames by address, for each binary whose frames are the same in all processes. */
  readonly #known: readonly Map<bigint, Frame>[];

  constructor(sources: NameSources, binaries: readonly Binary[]) {
    this.#sources = sources;
    this.#kernel = sources.kernel();
    this.#binaries = binaries;
    this.#known = binaries.map(() => new Map());
  }

  /** Returns the frame for an address; `row` is a row of the batch's binaries. */
  resolve(process: SampledProcess, row: number, address: bigint): Frame {
    const binary = this.#binaries[row];
    if (binary.kind === 'anonymous') return this.#anonymous(process, address);
    const frames = this.#known[row];
    const frame = frames.get(address) ?? this.#shared(binary, address);
    frames.set(address, frame);
    return frame;
  }

  /** Creates a frame that is the same in all processes. */
  #shared(binary: Binary, address: bigint): Frame {
    const { buildId, path } = binary;
    if (binary.kind === 'kernel') {
      const symbol = this.#kernel.find(address);
      // Without a name, a kernel address is meaningless after the next boot.
      return named('[kernel.kallsyms]', '', symbol?.name ?? '[kernel]', symbol?.file ?? 'vmlinux');
    }
    if (binary.kind === 'vdso') {
      const name = this.#sources.vdso?.findName(Number(address)) ?? '[vdso]';
      return { ...named('[vdso]', buildId, name, ''), address };
    }
    if (binary.kind === 'file') {
      const { binarySymbols } = this.#sources;
      const isNamedHere = this.#sources.isNamedHere(binary);
      const name = isNamedHere ? binarySymbols.name(binary, address) : undefined;
      const functionName = name === undefined ? '' : this.#sources.demangle(name);
      return { mapping: path, buildId, address, functionName, ...withoutLines };
    }
    return named(unknownMapping, '', '[unknown]', '');
  }

  /**
   * Creates a frame for code that was compiled at run time. Its addresses mean nothing outside the
   * process.
   */
  #anonymous(process: SampledProcess, address: bigint): Frame {
    const { jitDumps, perfMaps } = this.#sources;
    const dumped = jitDumps.find(process, Number(address));
    const symbol = dumped ?? perfMaps.find(process, Number(address));
    if (symbol === undefined) return named('[anonymous]', '', '[anonymous]', '');
    const { name, fileName, startLine } = symbol;
    return { ...named('[jit]', '', name, fileName), startLine, line: dumped?.line ?? 0 };
  }
}

/** Mapping and name of functions without a name, by language. */
const withoutName = {
  javascript: ['[jit]', '(anonymous)'],
  python: ['[python]', '[unknown]'],
  ruby: ['[ruby]', '[unknown]'],
  php: ['[php]', '[unknown]'],
} as const;

/**
 * Makes a frame of a script. A JavaScript frame stands for the code that V8 compiled, its
 * interpreter, and built-in functions without frames of their own.
 */
export function scriptFrame(script: ScriptFunction): Frame {
  const { language, name, fileName, startLine, line } = script;
  const [mapping, without] = withoutName[language];
  return { ...named(mapping, '', name || without, fileName), startLine, line };
}

const withoutLines = { fileName: '', startLine: 0, line: 0 };

/** Creates a frame with a name, which needs no address. */
function named(mapping: string, buildId: string, functionName: string, fileName: string): Frame {
  return { mapping, buildId, address: 0n, functionName, fileName, startLine: 0, line: 0 };
}
