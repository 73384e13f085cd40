// Serves stored files as debuginfod does, for gdb and for other servers.
//
// It serves only files on its own disk. It does not ask other servers, so that two servers that use
// each other never ask in a loop.
import type { Clock } from '../base/clock.ts';
import type { File, Files } from '../base/files.ts';
import { servedReadBytesMax } from '../base/limits.ts';
import { Pacer, stoppablePacer } from '../base/pacer.ts';
import type { SourceReader } from '../sources/interface.ts';
import {
  type ElfFile,
  readElf,
  type ElfSection,
  hasBytes,
  sourceOfFile,
} from '../symbolize/elf-file.ts';
import { buildIdPattern } from './debuginfod-client.ts';
import type { DebuginfoStore } from './debuginfo-store.ts';
import type { DebuginfodFiles, FileKind, Quality, ServedBytes } from './interface.ts';

/** Kinds of stored files that may contain the requested file; the most likely kind is first. */
const kinds: readonly FileKind[] = ['debuginfo', 'debuginfod', 'executable'];
/** Flag of sections with code. */
const sectionFlagCode = 4;

/** A stored file that may contain the requested one. */
interface Candidate {
  readonly path: string;
  readonly quality: Quality;
}

export class StoredDebuginfodFiles implements DebuginfodFiles {
  readonly #store: Pick<DebuginfoStore, 'find'>;
  readonly #files: Pick<Files, 'open'>;
  readonly #sources: SourceReader;
  readonly #clock: Clock;

  /** `sources` reads uploaded sources. */
  constructor(
    { files, clock }: { readonly files: Pick<Files, 'open'>; readonly clock: Clock },
    store: Pick<DebuginfoStore, 'find'>,
    sources: SourceReader,
  ) {
    this.#files = files;
    this.#clock = clock;
    this.#store = store;
    this.#sources = sources;
  }

  async openDebuginfo(buildId: string, signal: AbortSignal): Promise<ServedBytes | undefined> {
    const [best] = this.#candidates(buildId).sort(
      (a, b) => rankQuality(b.quality) - rankQuality(a.quality),
    );
    if (best === undefined || rankQuality(best.quality) === 0) return undefined;
    signal.throwIfAborted();
    const file = await this.#files.open(best.path, { create: false });
    return whole(file, await file.size(), `${buildId}.debug`);
  }

  async openExecutable(buildId: string, signal: AbortSignal): Promise<ServedBytes | undefined> {
    const hasCode = ({ sections }: ElfFile): ElfSection | undefined => sections.find(isCode);
    const found = await this.#firstElf(buildId, hasCode, signal);
    return found && whole(found.file, found.bytes, buildId);
  }

  async openSection(
    buildId: string,
    name: string,
    signal: AbortSignal,
  ): Promise<ServedBytes | undefined> {
    const hasSection = ({ sections }: ElfFile): ElfSection | undefined =>
      sections.find((section) => section.name === name && hasBytes(section));
    const found = await this.#firstElf(buildId, hasSection, signal);
    if (found === undefined) return undefined;
    const { file, bytes, section } = found;
    const start = Math.min(section.offset, bytes);
    return piece(file, start, Math.min(section.size, bytes - start), name);
  }

  async readSource(
    buildId: string,
    path: string,
    signal: AbortSignal,
  ): Promise<ServedBytes | undefined> {
    if (!buildIdPattern.test(buildId)) return undefined;
    const { text } = await this.#sources.readSource(buildId, path, signal);
    if (text === undefined) return undefined;
    const bytes = new TextEncoder().encode(text);
    return {
      name: path,
      bytes: bytes.length,
      async *read(start, end) {
        yield bytes.subarray(start, end);
      },
      close: async () => undefined,
    };
  }

  #candidates(buildId: string): Candidate[] {
    if (!buildIdPattern.test(buildId)) return [];
    return kinds.flatMap((kind) => this.#store.find(buildId, kind) ?? []);
  }

  /** Opens and returns the first file in which `choose` finds a section. */
  async #firstElf(
    buildId: string,
    choose: (elf: ElfFile) => ElfSection | undefined,
    signal: AbortSignal,
  ): Promise<
    { readonly file: File; readonly bytes: number; readonly section: ElfSection } | undefined
  > {
    const pacer = stoppablePacer(new Pacer(this.#clock), signal);
    for (const { path } of this.#candidates(buildId)) {
      signal.throwIfAborted();
      const file = await this.#files.open(path, { create: false });
      let section: ElfSection | undefined;
      try {
        const bytes = await file.size();
        section = choose(await readElf(sourceOfFile(file, bytes), pacer));
        if (section !== undefined) return { file, bytes, section };
      } finally {
        if (section === undefined) await file.close();
      }
    }
    return undefined;
  }
}

function isCode(section: ElfSection): boolean {
  return (section.flags & sectionFlagCode) !== 0 && hasBytes(section);
}

/** Ranks files by their information about addresses: 0 = none. */
function rankQuality({ hasDwarf, hasGoLineTable, hasSymbols }: Quality): number {
  return +hasDwarf * 4 + +hasGoLineTable * 2 + +hasSymbols;
}

function whole(file: File, bytes: number, name: string): ServedBytes {
  return piece(file, 0, bytes, name);
}

function piece(file: File, offset: number, bytes: number, name: string): ServedBytes {
  return {
    name,
    bytes,
    async *read(start, end) {
      for (let at = start; at < end;) {
        const content = new Uint8Array(Math.min(servedReadBytesMax, end - at));
        const count = await file.read(content, offset + at);
        // The file is shorter than it was. The client notices that bytes are missing.
        if (count === 0) return;
        yield content.subarray(0, count);
        at += count;
      }
    },
    close: () => file.close(),
  };
}
