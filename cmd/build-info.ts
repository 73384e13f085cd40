// Version of the program, from package.json and the checkout.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Root folder of the project. */
export const projectFolder: string = join(import.meta.dirname, '..');

export interface BuildInfo {
  readonly version: string;
  /** Commit of the checkout; "unknown" in a copy of the files without the history. */
  readonly commit: string;
}

export function readBuildInfo(): BuildInfo {
  const manifest: unknown = JSON.parse(read('package.json') ?? '{}');
  // A release has no history, but its manifest contains the commit, like manifests of npm packages.
  const commit = readField(manifest, 'gitHead') ?? readCommit();
  return { version: readField(manifest, 'version') ?? 'unknown', commit };
}

function readField(manifest: unknown, name: string): string | undefined {
  if (typeof manifest !== 'object' || manifest === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...manifest };
  return fields[name] === undefined ? undefined : String(fields[name]);
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
