// Rules for whole files and for the checkout: what must exist, and how large it may be.
import { isForeign } from './line-rules.ts';
import type { SourceFile } from './files.ts';
import { subjectsNotFirst } from './prose-rules.ts';

/** A broken rule: its place, and what to do. */
export interface Finding {
  readonly rule: string;
  /** A path, or path:line. */
  readonly place: string;
  readonly message: string;
}

export interface FileRule {
  readonly name: string;
  /** Returns all findings in the checkout. */
  check(files: readonly SourceFile[]): readonly { place: string; message: string }[];
}

const fileLinesMax = 800;
const fileBytesMax = 256 * 1024;
const commentStart = /^(\/\/|\/\*|#|--|<!--)/;

const isCode = (path: string): boolean =>
  /\.(ts|tsx|mjs|cjs|go|rs|css|proto|grammar|sh)$/.test(path) && !isForeign(path);

export const fileRules: readonly FileRule[] = [
  {
    name: 'file-length',
    check: (files) =>
      files
        .filter(({ path }) => isCode(path))
        .map(({ path, text }) => ({ path, lineCount: text().split('\n').length }))
        .filter(({ lineCount }) => lineCount > fileLinesMax)
        .map(({ path, lineCount }) => ({
          place: path,
          message: `has ${lineCount} lines, over ${fileLinesMax}: split it by purpose`,
        })),
  },
  { name: 'purpose', check: (files) => filesWithoutPurpose(files) },
  { name: 'subject-first', check: (files) => subjectsNotFirst(files) },
  {
    name: 'blob',
    check: (files) =>
      files
        .filter(({ path, byteCount }) => byteCount > fileBytesMax && !isForeign(path))
        .map(({ path, byteCount }) => ({
          place: path,
          message: `has ${byteCount} bytes, over ${fileBytesMax}: generate it, or use testdata/`,
        })),
  },
  {
    name: 'index',
    check: (files) =>
      files
        .filter(({ path }) => /^src\/.*\/index\.ts$/.test(path))
        .map(({ path }) => ({ place: path, message: 'is a barrel: name it after what it holds' })),
  },
  { name: 'lonely-export', check: (files) => lonelyExports(files) },
  { name: 'readme', check: (files) => foldersWithoutReadme(files) },
  { name: 'lock-hosts', check: (files) => lockFileHosts(files) },
  { name: 'lock-complete', check: (files) => missingFromLock(files) },
  { name: 'dependency-reasons', check: (files) => dependenciesWithoutReason(files) },
  { name: 'changelog', check: (files) => changelogShape(files) },
];

/**
 * Finds files that do not state their purpose; for a test, the name of the tested file is enough.
 */
function filesWithoutPurpose(files: readonly SourceFile[]): { place: string; message: string }[] {
  const paths = new Set(files.map(({ path }) => path));
  const isNextToTested = (path: string): boolean =>
    path.includes('.test.ts') && paths.has(path.replace('.test.ts', '.ts'));
  return files
    .filter(({ path, text }) => isCode(path) && !isNextToTested(path) && !commentStart.test(text()))
    .map(({ path }) => ({
      place: `${path}:1`,
      message: 'does not say what it is for: open with a comment that states its one purpose',
    }));
}

function isParser(path: string): boolean {
  return path.startsWith('src/promql-like/gen/');
}

/** Finds exported values that no other file uses. Types may be exported together with values. */
function lonelyExports(files: readonly SourceFile[]): { place: string; message: string }[] {
  const code = files.filter(({ path }) => /\.(ts|tsx|mjs|cjs)$/.test(path));
  const sources = code.filter(({ path }) => !isForeign(path));
  const paths = new Map<string, Set<string>>();
  // A generated parser uses tokens from our code.
  for (const { path, text } of code.filter((one) => !isForeign(one.path) || isParser(one.path))) {
    for (const [word] of text().matchAll(/[\w$]+/g)) {
      paths.set(word, (paths.get(word) ?? new Set()).add(path));
    }
  }
  const exported =
    /^export (?:default )?(?:async )?(?:abstract )?(?:function\*?|const|class) ([\w$]+)/gm;
  return sources.flatMap(({ path, text }) =>
    Array.from(text().matchAll(exported), ([, name]) => name)
      .filter((name) => paths.get(name)?.size === 1)
      // A test may have sources in strings, one of which imports from another.
      .filter((name) => !new RegExp(`import \\{[^}]*\\b${name}\\b`).test(text()))
      .map((name) => ({ place: path, message: `exports ${name}, which no other file uses` })),
  );
}

function foldersWithoutReadme(files: readonly SourceFile[]): { place: string; message: string }[] {
  const paths = new Set(files.map(({ path }) => path));
  const folders = new Set<string>();
  for (const path of paths) {
    const [top, second, third] = path.split('/');
    if (second === undefined || top.startsWith('.')) continue;
    if (top !== 'src') folders.add(top);
    else if (third !== undefined) folders.add(`${top}/${second}`);
  }
  return [...folders]
    .filter((folder) => !paths.has(`${folder}/README.md`))
    .map((folder) => ({
      place: folder,
      message: 'has no README.md: say what a newcomer would ask',
    }));
}

function lockFileHosts(files: readonly SourceFile[]): { place: string; message: string }[] {
  const lines = readText(files, 'package-lock.json').split('\n');
  return lines.flatMap((line, i) =>
    line.includes('"resolved": "http')
      ? [
          {
            place: `package-lock.json:${i + 1}`,
            message: 'names a registry host: install with the .npmrc of the checkout',
          },
        ]
      : [],
  );
}

interface LockEntry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Finds packages of other platforms that are missing in the lock file: npm may drop them, and then
 * `npm ci` fails.
 */
function missingFromLock(files: readonly SourceFile[]): { place: string; message: string }[] {
  const lock: { packages?: Record<string, LockEntry> } = JSON.parse(
    readText(files, 'package-lock.json') || '{}',
  );
  const entries = Object.entries(lock.packages ?? {});
  const locked = new Set(entries.map(([path]) => path.replace(/^.*node_modules\//, '')));
  const wanted = entries.flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => ({ path, name })),
  );
  return wanted
    .filter(({ name }) => !locked.has(name))
    .map(({ path, name }) => ({
      place: 'package-lock.json',
      message:
        `lacks ${name}, which ${path} wants: take a version that has it, and repeat ` +
        '"npm install --package-lock-only" without node_modules',
    }));
}

function dependenciesWithoutReason(
  files: readonly SourceFile[],
): { place: string; message: string }[] {
  const reasons = readText(files, 'docs/dependencies.md');
  return ['package.json', 'web/package.json'].flatMap((place) => {
    const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(
      readText(files, place) || '{}',
    );
    const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
    return kinds
      .flatMap((kind) => Object.keys(manifest[kind] ?? {}))
      .filter((name) => !reasons.includes(`\`${name}\``))
      .map((name) => ({ place, message: `${name} has no line in docs/dependencies.md: add why` }));
  });
}

const changelogLine = [
  /^$/,
  /^# Changelog$/,
  /^## (\d+\.\d+\.\d+) \((unreleased|\d{4}-\d\d-\d\d)\)$/,
  /^### .*[^ ]$/,
  /^- (FEATURE|PERF|FIX|BREAKING): .*[^ ]$/,
  /^ {2}\S.*$/,
];

function changelogShape(files: readonly SourceFile[]): { place: string; message: string }[] {
  const lines = readText(files, 'CHANGELOG.md').split('\n');
  return lines.flatMap((line, i) =>
    changelogLine.some((shape) => shape.test(line)) && (i > 0 || line === '# Changelog')
      ? []
      : [
          {
            place: `CHANGELOG.md:${i + 1}`,
            message:
              'is none of "## 1.2.3 (date)", "### Area", "- FEATURE|PERF|FIX|BREAKING: what changed"',
          },
        ],
  );
}

function readText(files: readonly SourceFile[], path: string): string {
  return files.find((file) => file.path === path)?.text() ?? '';
}
