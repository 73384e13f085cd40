// Version of the program, from package.json and the checkout.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the project. */
export const projectFolder: string = join(import.meta.dirname, '..');

export interface BuildInfo {
  readonly version: string;
  /** "unknown" outside a checkout. */
  readonly commit: string;
}

export function readBuildInfo(): BuildInfo {
  const manifest: unknown = JSON.parse(read('package.json') ?? '{}');
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : 'unknown';
  return { version, commit: readCommit() };
}

function readCommit(): string {
  const head = read('.git/HEAD')?.trim();
  if (head === undefined) return 'unknown';
  const reference = /^ref: (\S+)$/.exec(head)?.[1];
  return (reference === undefined ? head : read(`.git/${reference}`)?.trim()) ?? 'unknown';
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(projectFolder, path), 'utf8');
  } catch {
    return undefined;
  }
}
