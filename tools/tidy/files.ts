// Lists the files of the checkout that people write: everything but what is installed or built.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly byteCount: number;
  /** Read on demand. */
  text(): string;
}

const installedOrBuilt = new Set(['node_modules', '.git', '.cache', 'target', 'dist']);
/** Folders that programs and tests write; .gitignore has the same paths. */
const written = new Set(['data', 'test/output', 'bench/results/local']);

/** Returns all files below the root, in the order of their paths. */
export function sourceFiles(root: string, folder = ''): SourceFile[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (installedOrBuilt.has(entry.name) || written.has(path)) return [];
      if (entry.isDirectory()) return sourceFiles(root, path);
      if (!entry.isFile() || entry.name.endsWith('.log')) return [];
      const file = join(root, path);
      return [{ path, byteCount: statSync(file).size, text: () => readFileSync(file, 'utf8') }];
    });
}
