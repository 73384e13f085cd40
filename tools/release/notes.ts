// Reads the notes of a release from CHANGELOG.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, SetupError } from '../setup.mjs';

/** Returns the section of a version. Errors: SetupError if CHANGELOG.md has none. */
export function releaseNotes(version: string): string {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const sections = text.split(/^(?=## )/m);
  const section = sections.find((one) => one.split(/\s/)[1] === version);
  if (section !== undefined) return `${section.trim()}\n`;
  throw new SetupError(`cannot make a release: CHANGELOG.md has no section ${version}`);
}
