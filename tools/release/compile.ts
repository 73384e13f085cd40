// Compiles the JavaScript of a release by removing types from the files that its programs load.
//
// Node does not run TypeScript below node_modules, where npm installs the package, so all artefacts
// contain JavaScript. Types are replaced by blanks, so that lines and columns stay the same.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';
import { readImports } from '../imports/read-imports.ts';

/** Files and packages that programs load. */
export interface Compiled {
  /** JavaScript by path, relative to the root. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of npm packages, sorted. */
  readonly packages: readonly string[];
}

/** Matches a file of this project that another file imports, or starts as a thread. */
const ownFile = /(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g;

/**
 * Compiles the files of `root` that `entries` load, immediately or on demand.
 *
 * Errors: a referenced file that is missing.
 */
export function compile(root: string, entries: readonly string[]): Compiled {
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const target = path.replace(/\.ts$/, '.js');
    if (files.has(target)) continue;
    const source = readFileSync(join(root, path), 'utf8');
    const text = path.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
    for (const { to, isPackage } of readImports(path, text)) {
      if (!isPackage) waiting.push(to);
      else if (!to.startsWith('node:')) packages.add(to);
    }
    for (const name of requiredPackages(text)) packages.add(name);
    waiting.push(...namedFiles(path, text));
    files.set(target, text.replaceAll(ownFile, '$1$2.js$1'));
  }
  return { files, packages: [...packages].sort() };
}

function namedFiles(path: string, text: string): string[] {
  const names = [...text.matchAll(ownFile)].map(([, , name]) => `${name}.ts`);
  return names.map((name) => posix.join(posix.dirname(path), name));
}

/** Returns the packages that are loaded on demand, or whose files are read. */
function requiredPackages(text: string): string[] {
  const calls = text.matchAll(/\b(?:require|resolve)\(\s*['"]((?:@[\w.-]+\/)?[\w-][\w.-]*)/g);
  return [...calls].map(([, name]) => name).filter((name) => !name.startsWith('node:'));
}
