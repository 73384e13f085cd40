// Files with parts of a program's DWARF: by which names they are found, and which of them may be
// opened.
import type { SampleBatch } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { readAlternateName, readSupplementId } from '../../src/symbolize/debug-link.ts';
import { type ElfFile, findSection, readBuildIds, readElf } from '../../src/symbolize/elf-file.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { type OpenedFile, type OpenFile, keepOpen, openLinkedFile } from '../files/open-file.ts';

/** Opens the file at a path, which may be a link; undefined if there is none. */
export type OpenPartAt = (path: string) => OpenedFile | undefined;

/** Opens files of one user, such as those that a debug file of this user names. */
export function partsOfUser(userId: number): OpenPartAt {
  return (path) => {
    const opened = openLinkedFile(path);
    if (opened === undefined || opened.file.userId === userId) return opened;
    opened.close();
    return undefined;
  };
}

/**
 * Opens files as a process sees them, by `openFile` of the add-on. Their names come from untrusted
 * programs, so only files of the program's owner are opened.
 */
export function partsOfProcess(
  openFile: (pid: number, path: string) => number,
  pid: number,
  userId: number,
): OpenPartAt {
  return (path) => {
    const opened = keepOpen(openFile(pid, path));
    if (opened === undefined || opened.file.userId === userId) return opened;
    opened.close();
    return undefined;
  };
}

/** Returns the id of a process in a batch that runs code of a row of `binaries`. */
export function processWith(batch: SampleBatch, binary: number): number | undefined {
  const { processes, samples, stacks, frames } = batch;
  const program = processes.find((process) => process.binary === binary);
  if (program !== undefined) return program.pid;
  for (let row = 0; row < samples.count; row += 1) {
    const stack = samples.stack[row];
    for (let frame = stacks.frameStart[stack]; frame < stacks.frameStart[stack + 1]; frame += 1) {
      if (frames.binary[frame] === binary) return processes[samples.process[row]].pid;
    }
  }
  return undefined;
}

/** The file that a debug file shares DWARF with. */
export interface SharedDwarf {
  /** Name in the debug file. */
  readonly name: string;
  readonly buildId: string;
  /** The file and its path; undefined if it is missing. */
  readonly found: { readonly path: string; readonly elf: ElfFile } | undefined;
  close(): void;
}

/**
 * Looks for the file that shares DWARF with the program, or debug file, at `path`: at the path that
 * it names, then in `folders` such as /usr/lib/debug. Undefined if it names none, or has no DWARF.
 *
 * Errors: AppError for a section that cannot be read.
 */
export async function findSharedDwarf(
  path: string,
  elf: ElfFile,
  open: OpenPartAt,
  folders: readonly string[],
): Promise<SharedDwarf | undefined> {
  // A program without DWARF may still name the file that its DWARF was shared with, so that name is
  // ignored.
  const hasDwarf = ['.debug_info', '.zdebug_info'].some((name) => findSection(elf, name));
  const named = hasDwarf ? await readAlternateName(elf) : undefined;
  if (named === undefined) return undefined;
  const { name, buildId } = named;
  const byId = `.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`;
  const attempts: (readonly [OpenPartAt, string])[] = [[open, resolve(dirname(path), name)]];
  for (const folder of folders) {
    attempts.push([openLinkedFile, join(folder, byId)]);
    // In a container, the name is that of its distribution, while the debug files are on the host.
    const at = name.indexOf('.dwz/');
    attempts.push([openLinkedFile, join(folder, at === -1 ? basename(name) : name.slice(at))]);
  }
  for (const [openAt, candidate] of attempts) {
    const opened = openAt(candidate);
    if (opened === undefined) continue;
    const found = await sharedAt(opened.file, buildId);
    if (found !== undefined) {
      return {
        name,
        buildId,
        found: { path: candidate, elf: found },
        close: () => opened.close(),
      };
    }
    opened.close();
  }
  return { name, buildId, found: undefined, close: () => undefined };
}

/** Reads the file if it has the build id; a damaged one counts as another file. */
async function sharedAt(source: OpenFile, buildId: string): Promise<ElfFile | undefined> {
  try {
    const elf = await readElf(source);
    const { gnu } = await readBuildIds(elf);
    return (gnu ?? (await readSupplementId(elf))) === buildId ? elf : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
