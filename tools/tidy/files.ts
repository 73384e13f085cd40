// Lists the source files in the checkout, without installed or generated files.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly byteCount: number;
  /** Returns the content, which is read on demand. */
  text(): string;
}

const installedOrBuilt = new Set(['node_modules', '.git', '.cache', 'target', 'dist']);
/** Folders that programs and tests write to; .gitignore has the same paths. */
const written = new Set(['data', 'test/output', 'bench/results/local']);

/** Returns all files below the root, sorted by path. */
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
