// Finds the files that contain parts of a program's DWARF, and decides which of them may be opened.
import type { SampleBatch } from '../../bpf/sampler.ts';
import { AppError } from '../../src/base/errors.ts';
import { readAlternateName, readSupplementId } from '../../src/symbolize/debug-link.ts';
import { type ElfFile, findSection, readBuildIds, readElf } from '../../src/symbolize/elf-file.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { type OpenedFile, type OpenFile, keepOpen, openLinkedFile } from '../files/open-file.ts';

/** Opens the file at a path, which may be a link; undefined if there is no file. */
export type OpenPartAt = (path: string) => OpenedFile | undefined;

/** Opens files of one user, for example files that the user's debug file refers to. */
export function partsOfUser(userId: number): OpenPartAt {
  return (path) => {
    const opened = openLinkedFile(path);
    if (opened === undefined || opened.file.userId === userId) return opened;
    opened.close();
    return undefined;
  };
}

/**
 * Opens files as a process sees them, with the add-on's `openFile`. Untrusted programs choose the
 * file names, so only files of the program's owner are opened.
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

/** Returns the id of a process in the batch that runs code of this row of `binaries`. */
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

/** A file with DWARF that several debug files share. */
export interface SharedDwarf {
  /** Name as written in the debug file. */
  readonly name: string;
  readonly buildId: string;
  /** The file and its path; undefined if the file is missing. */
  readonly found: { readonly path: string; readonly elf: ElfFile } | undefined;
  close(): void;
}

/**
 * Finds the file that shares DWARF with the program or debug file at `path`: at the given path,
 * then in `folders` such as /usr/lib/debug. Returns undefined if there is no such reference or no
 * DWARF.
 *
 * Errors: AppError for a section that cannot be read.
 */
export async function findSharedDwarf(
  path: string,
  elf: ElfFile,
  open: OpenPartAt,
  folders: readonly string[],
): Promise<SharedDwarf | undefined> {
  // A program whose DWARF was stripped may still contain the reference, which is then ignored.
  const hasDwarf = ['.debug_info', '.zdebug_info'].some((name) => findSection(elf, name));
  const named = hasDwarf ? await readAlternateName(elf) : undefined;
  if (named === undefined) return undefined;
  const { name, buildId } = named;
  const byId = `.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`;
  const attempts: (readonly [OpenPartAt, string])[] = [[open, resolve(dirname(path), name)]];
  for (const folder of folders) {
    attempts.push([openLinkedFile, join(folder, byId)]);
    // In a container, the path follows the conventions of the container's distribution, but the
    // debug files are on the host.
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

/**
 * Reads the file if it has the build id. A damaged file is treated like a file with a different
 * build id.
 */
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
