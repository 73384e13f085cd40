// Reasons why lines of a file are missing although it has DWARF, and advice for operators.
import type { SymbolSource } from './interface.ts';

/** Types of DWARF that a file may lack. */
export type MissingLines = 'damaged' | 'split' | 'alternate';

const damaged = 'its DWARF cannot be read';
const split =
  'its split DWARF is missing: upload the program again with parcatool debuginfo upload, where its ' +
  '.dwp file or its .dwo files are';

/** Returns a sentence with the reason. */
export function countMissingLines(
  kind: MissingLines,
  source: Pick<SymbolSource, 'alternate'>,
): string {
  if (kind === 'damaged') return damaged;
  if (kind === 'split') return split;
  const { name, buildId } = source.alternate ?? { name: '', buildId: '' };
  const file = buildId === '' ? 'that .gnu_debugaltlink names' : `${name}, build id ${buildId},`;
  return (
    `a part of its DWARF is in the file ${file} which is missing: ` +
    'upload that file with parcatool debuginfo upload'
  );
}
