// Rules for single lines that no other tool checks: a pattern, and what to do instead.

export interface LineRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Message with the replacement. */
  readonly instead: string;
  appliesTo(path: string): boolean;
  /** Example that breaks the rule, for its test. */
  readonly example: string;
}

const isTest = (path: string): boolean => /\.(test|bench)\.ts$|\/(fake|testing)\//.test(path);
const isCode = (path: string): boolean =>
  /\.(ts|tsx|mjs|cjs|go|rs|css|proto|grammar)$/.test(path) && !isForeign(path);
/** Returns true for files that get their Clock, Files and Random as parameters. */
const isPure = (path: string): boolean =>
  path.startsWith('src/') && !path.startsWith('src/base/node/') && !isTest(path);

/** Returns true if a file is generated or test input, so that its style is not checked. */
export function isForeign(path: string): boolean {
  return /(^|\/)(gen|testdata)\//.test(path);
}

/** Words that are joined from parts, so that the rule does not match this file. */
const leftovers = [
  ['FIX', 'ME'],
  ['XX', 'X'],
  ['HA', 'CK'],
  ['TO', 'DO'],
].map((at) => at.join(''));
const machineFolders = ['root', 'work'];

/** Files that parse JSON from the program itself, or from its user in the terminal or config. */
const ownJson: ReadonlySet<string> = new Set([
  // The scanner itself.
  'src/base/text/json.ts',
  // Files of the data directory.
  'src/base/kept-json.ts',
  'src/debuginfo/entry.ts',
  'src/debuginfo/file-uses.ts',
  'src/shares/share-store.ts',
  'src/sources/packed-file.ts',
  'src/symbolize/name-lines.ts',
  // JSON from another thread of this program, or from V8.
  'src/query/functions/largest-functions.ts',
  'src/telemetry/thread-samples.ts',
  // JSON in values of the configuration and of a header, which have their own limits.
  'src/config/schema/gcs-schema.ts',
  'src/storage/object-store/sdk/gcs-bucket.ts',
  'src/rules/template.ts',
  'src/api/auth/client-certificate.ts',
]);

const lineWidthMax = 100;
const longText = '([\'"`/])((?!\\1).){40,}\\1';

export const lineRules: readonly LineRule[] = [
  {
    name: 'line-width',
    // The formatter wraps code, so only comments match; a long string or URL may stay on one line.
    pattern: new RegExp(`^(?!.*https?://)(?!.*${longText}).{${lineWidthMax + 1}}`),
    instead: `is over ${lineWidthMax} columns: break it, or name a part of it`,
    appliesTo: isCode,
    example: `// ${'words '.repeat(lineWidthMax / 5)}`,
  },
  {
    name: 'export-star',
    pattern: /^export \*/,
    instead: 'hides where a name comes from: export names, and import the file that has the thing',
    appliesTo: isCode,
    example: "export * from './a.ts';",
  },
  {
    name: 'time-is-given',
    // A method with the same name, such as one that sets a connection's idle time, is not a timer.
    pattern:
      /\b(Date\.now|performance\.now|process\.hrtime|(?<!\.)set(Timeout|Interval))\b|new Date\(\)/,
    instead: 'takes the time from the machine: take a Clock (src/base/clock.ts)',
    appliesTo: isPure,
    example: 'const now = Date.now();',
  },
  {
    name: 'randomness-is-given',
    pattern: /\bMath\.random\b|\brandom(Bytes|UUID|FillSync)\b/,
    instead: 'takes randomness from the machine: take a Random (src/base/random.ts)',
    appliesTo: isPure,
    example: 'const id = Math.random();',
  },
  {
    name: 'json-has-a-limit',
    pattern: /\bJSON\.parse\(/,
    instead:
      'makes objects that nobody has counted: use parseJsonBytes or parseJsonText ' +
      '(src/base/text/json.ts), or name the file in ownJson if only this program writes what it reads',
    appliesTo: (path) =>
      /^(src|agent|cmd\/parca|cmd\/parca-agent)\//.test(path) &&
      !isTest(path) &&
      !ownJson.has(path),
    example: 'const list = JSON.parse(text);',
  },
  {
    name: 'files-are-given',
    pattern: /from 'node:fs(\/promises)?'/,
    instead: 'reads the disk itself: take Files (src/base/files.ts)',
    appliesTo: isPure,
    example: "import { readFile } from 'node:fs/promises';",
  },
  {
    name: 'threads-can-be-ended',
    pattern: /\bnew Worker\(/,
    instead: 'may be ended in the middle of zlib: use Thread (src/base/threads/thread.ts)',
    appliesTo: (path) => isPure(path) && !path.startsWith('src/base/threads/'),
    example: 'const thread = new Worker(script);',
  },
  {
    name: 'memory-has-one-owner',
    pattern: /\.postMessage\(/,
    instead: 'may give away memory that others read: use send (src/base/threads/send.ts)',
    appliesTo: (path) => isPure(path) && path !== 'src/base/threads/send.ts',
    example: 'parentPort.postMessage(reply, [buffer]);',
  },
  {
    name: 'leftover',
    pattern: new RegExp(`\\b(${leftovers.join('|')})\\b`),
    instead: 'is a note to oneself: do it, or say in the text what is not done and why',
    appliesTo: isCode,
    example: `// ${leftovers[0]}: later`,
  },
  {
    name: 'only',
    pattern: /\b(test|describe|it)\.only\(|\bonly: true\b/,
    instead: 'leaves the other tests out: remove it',
    appliesTo: (path) => isTest(path) && !path.startsWith('test/repository/'),
    example: "test.only('a', () => {});",
  },
  {
    name: 'machine-path',
    pattern: new RegExp(`(^|[\\s'"\`(=])/(${machineFolders.join('|')})/`),
    instead: 'names a folder of one machine: use a path relative to the checkout',
    appliesTo: (path) => isCode(path) || /\.(md|ya?ml|json|sh)$/.test(path),
    example: `cd /${machineFolders[0]}/checkout`,
  },
  {
    name: 'private-by-hash',
    // Private constructors are allowed, and so are protected members that override a library's
    // members, because the language has no other form for them.
    pattern: /^\s*(private|protected|public) (?!constructor\b|override\b)|\bthis\._\w/,
    instead: 'is private by a keyword or an underscore: private members begin with #',
    appliesTo: (path) => isCode(path) && /\.tsx?$/.test(path),
    example: '  private readonly rows: number;',
  },
];
