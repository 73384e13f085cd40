// Finds the split DWARF of a program: the package (.dwp) next to it, or the files (.dwo) that its
// units refer to.
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../src/base/errors.ts';
import {
  type ElfFile,
  findSection,
  hasBytes,
  readElf,
  readSection,
} from '../../src/symbolize/elf-file.ts';
import { isSplit } from '../../src/symbolize/dwarf/abbreviations.ts';
import { Budget } from '../../src/symbolize/dwarf/budget.ts';
import { DwarfPackage } from '../../src/symbolize/dwarf/package.ts';
import { readSplitEntries, readSplitUnits } from '../../src/symbolize/dwarf/split-units.ts';
import type { Unit } from '../../src/symbolize/dwarf/unit.ts';
import type { OpenedFile } from '../files/open-file.ts';
import type { AddedSection } from './add-sections.ts';
import { PackageMaker } from './make-package.ts';
import type { OpenPartAt } from './part-files.ts';

/** Sections that are added to a program before its upload. */
export interface SplitDwarf {
  readonly sections: readonly AddedSection[];
  /** Files that the sections come from. */
  readonly paths: readonly string[];
  /** Names of files that are missing or belong to another build. */
  readonly missing: readonly string[];
  /** Closes the files that contain the sections. */
  close(): void;
}

const pieceBytes = 1024 * 1024;

/**
 * Finds the split DWARF of the program or debug file at `path`; undefined if it has none. At most
 * `bytesMax` of DWARF is kept in memory: .dwo files are packed in memory, a package is not.
 *
 * Errors: AppError for a file that is damaged, or too large to be packed.
 */
export async function findSplitDwarf(
  path: string,
  elf: ElfFile,
  open: OpenPartAt,
  bytesMax: number,
): Promise<SplitDwarf | undefined> {
  const isPacked = findSection(elf, '.debug_cu_index') !== undefined;
  if (isPacked || !(await isSplit(elf))) return undefined;
  const units = await damagedIs('the program', () => readSplitUnits(elf, bytesMax));
  if (units.length === 0) return undefined;
  for (const packagePath of [`${path}.dwp`, `${path.replace(/\.debug$/, '')}.dwp`]) {
    const opened = open(packagePath);
    if (opened !== undefined) return readPackage(packagePath, opened, units, bytesMax);
  }
  return packFiles(dirname(path), elf, units, open, bytesMax);
}

/** Reads the sections of a package unchanged. */
async function readPackage(
  path: string,
  opened: OpenedFile,
  units: readonly Unit[],
  bytesMax: number,
): Promise<SplitDwarf> {
  try {
    return await readSections(path, opened, units, bytesMax);
  } catch (error) {
    opened.close();
    throw error;
  }
}

async function readSections(
  path: string,
  opened: OpenedFile,
  units: readonly Unit[],
  bytesMax: number,
): Promise<SplitDwarf> {
  const { file } = opened;
  const elf = await readElf(file);
  const missing = await damagedIs(path, () => missingUnits(elf, units, bytesMax));
  if (missing.length === units.length) {
    throw new AppError('failed-precondition', `${path} belongs to another build`);
  }
  const kept = elf.sections.filter(
    (section) =>
      hasBytes(section) && (section.name.endsWith('.dwo') || section.name === '.debug_cu_index'),
  );
  const sections = kept.map(({ name, flags, offset, size }): AddedSection => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < size; at += pieceBytes) {
        const length = Math.min(pieceBytes, size - at);
        const bytes = await file.read(offset + at, length);
        if (bytes.length < length) {
          throw new AppError('invalid-argument', `${path}: section ${name} is cut off`);
        }
        yield bytes;
      }
    }
    return { name, flags, size, pieces };
  });
  return { sections, paths: [path], missing, close: () => opened.close() };
}

/** Returns the names of the units that a package lacks. */
async function missingUnits(
  elf: ElfFile,
  units: readonly Unit[],
  bytesMax: number,
): Promise<string[]> {
  const section = findSection(elf, '.debug_cu_index');
  if (section === undefined) return units.map(({ splitName }) => splitName);
  const index = await readSection(elf, section, bytesMax);
  const none = new Uint8Array(0);
  const { sections } = units[0].format;
  const found = new DwarfPackage(
    {
      index,
      info: none,
      abbreviations: none,
      strings: none,
      stringOffsets: none,
      rangeLists: none,
    },
    sections,
    new Budget(),
  );
  return units
    .filter(({ splitId }) => splitId === undefined || found.find(splitId) === undefined)
    .map(({ splitName }) => splitName);
}

/** Packs the files that a program's units refer to. */
async function packFiles(
  folder: string,
  elf: ElfFile,
  units: readonly Unit[],
  open: OpenPartAt,
  bytesMax: number,
): Promise<SplitDwarf> {
  const maker = new PackageMaker(elf.isLittleEndian);
  const paths = new Set<string>();
  const missing = new Set<string>();
  const known = new Set<bigint>();
  let left = bytesMax;
  for (const unit of units) {
    const { splitId, splitName } = unit;
    // Units with the same number come from the same template.
    if (splitId === undefined || known.has(splitId)) continue;
    const compiled = resolve(unit.folder, splitName);
    let isFound = false;
    for (const path of [compiled, join(folder, splitName), join(folder, basename(splitName))]) {
      const opened = open(path);
      if (opened === undefined) continue;
      try {
        left -= opened.file.size;
        if (left < 0) throw tooLarge(bytesMax);
        const parts = await readElf(opened.file).catch(otherFile);
        const entries =
          parts && (await damagedIs(path, () => readSplitEntries(parts, unit, bytesMax)));
        if (entries === undefined) continue;
        maker.add(entries);
      } finally {
        opened.close();
      }
      known.add(splitId);
      paths.add(path);
      isFound = true;
      break;
    }
    if (!isFound) missing.add(compiled);
  }
  const sections = known.size === 0 ? [] : maker.finish();
  return { sections, paths: [...paths], missing: [...missing], close: () => undefined };
}

/** Ignores a file that happens to have the right name but is not ELF. */
function otherFile(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'invalid-argument') throw error;
}

/** Calls `read` and adds the file's name to errors about damaged DWARF. */
async function damagedIs<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const why = `cannot read the DWARF of ${name}: ${error.message}`;
    throw new AppError('invalid-argument', why, { cause: error });
  }
}

function tooLarge(bytesMax: number): AppError {
  const why = `.dwo files of more than ${bytesMax} bytes: make a package with dwp -e PROGRAM`;
  return new AppError('resource-exhausted', `cannot pack split DWARF: ${why}`);
}
