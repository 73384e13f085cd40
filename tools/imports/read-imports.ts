// Reads the imports of all files from their source text.
import { posix } from 'node:path';

/** An import: its position and its target. */
export interface Import {
  /** Path of the importing file, relative to the root. */
  readonly from: string;
  /** Line number from 1. */
  readonly line: number;
  /** Path of the imported file relative to the root, or the name of a package. */
  readonly to: string;
  readonly isPackage: boolean;
  /** True for `import type`, which loads nothing at run time. */
  readonly isType: boolean;
}

const statements = [
  /^(?:import|export)\s[^'";]*?from\s*['"]([^'"]+)['"]/gm,
  /^import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
  // Matches references to worker scripts.
  /new URL\(\s*['"](\.[^'"]+\.ts)['"],\s*import\.meta\.url/g,
];

/** Returns all imports of a file, in the order of the patterns above. */
export function readImports(path: string, text: string): Import[] {
  const imports: Import[] = [];
  for (const statement of statements) {
    for (const match of text.matchAll(statement)) {
      const line = text.slice(0, match.index).split('\n').length;
      const isType = /^(?:import|export)\s+type\s/.test(match[0]);
      imports.push({ from: path, line, isType, ...resolve(path, match[1]) });
    }
  }
  return imports;
}

function resolve(path: string, specifier: string): { to: string; isPackage: boolean } {
  if (specifier.startsWith('.')) {
    return { to: posix.join(posix.dirname(path), specifier), isPackage: false };
  }
  if (specifier.startsWith('node:')) return { to: specifier, isPackage: true };
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
  return { to: name, isPackage: true };
}
