// Reads a YAML file by a schema, and collects all mistakes in it.
import {
  LineCounter,
  parseDocument,
  type Document,
  isScalar,
  type Node,
  type Scalar,
  visit,
} from 'yaml';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { type Environment, expandEnvironment } from '../expand-environment.ts';
import { Place, type ConfigProblem, type ConfigSource } from './place.ts';
import { maskUrl } from '../../base/text/mask-user-info.ts';
import { invalid, type Reader } from './read.ts';

/**
 * Error for a config file with problems. The message has a line for each problem:
 * `file:line:column: path: what`.
 */
export class ConfigError extends AppError {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super('invalid-argument', problems.map(formatProblem).join('\n'));
    this.problems = problems;
  }
}

/** Returns the line for a problem: `file:line:column: path: what`. */
export function formatProblem({ file, line, column, path, message }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`;
}

/** Parses a YAML file and returns its root. Syntax errors are not thrown; `document` lists them. */
export function openSource(text: string, file: string): Place {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const source: ConfigSource = {
    file,
    document,
    lines,
    problems: [],
    warnings: [],
    secrets: new Set(),
    later: [],
  };
  return new Place(source, '', document.contents, 0);
}

/** A config file, and the content that could be read from it. */
export class ConfigDocument<T> {
  readonly #source: ConfigSource;
  readonly #content: T | undefined;

  /**
   * Reads a document. If it is empty, its content is `nothing`. `file` is its name in messages. If
   * `environment` is given, variables in the file are replaced.
   */
  constructor(text: string, file: string, root: Reader<T>, nothing: T, environment?: Environment) {
    const place = openSource(text, file);
    const { source } = place;
    const { document } = source;
    this.#source = source;
    for (const { code, message, pos } of document.errors) {
      place.report(code === 'MULTIPLE_DOCS' ? 'expected a single YAML document' : message, pos[0]);
    }
    if (document.errors.some(({ code }) => !harmlessMistakes.has(code))) return;
    if (environment !== undefined) {
      expandEnvironment(document, environment, (message, offset) => place.report(message, offset));
    }
    const content = place.isEmpty() ? nothing : root(place);
    if (content !== invalid) this.#content = content;
  }

  /** Checks the files that this file names. */
  async checkFiles(files: Pick<Files, 'read'>): Promise<void> {
    for (const check of this.#source.later) await check(files);
  }

  /**
   * Returns the file as YAML without secrets. No other method may be called afterwards, because
   * this one changes the document.
   */
  shown(): string {
    const { document, secrets } = this.#source;
    maskSecrets(document, secrets);
    return document.contents === null ? '' : document.toString({ lineWidth: 0 });
  }

  /** Settings that are valid but probably not intended. */
  get warnings(): readonly ConfigProblem[] {
    return this.#source.warnings;
  }

  /** Returns the content. Errors: ConfigError with all problems so far. */
  content(): T {
    if (this.#content !== undefined && this.#source.problems.length === 0) return this.#content;
    throw new ConfigError(inOrder(this.#source));
  }
}

/** Mistakes in the YAML after which its meaning is still clear. */
const harmlessMistakes = new Set(['DUPLICATE_KEY']);

/**
 * Sorts problems by position and removes duplicates. Duplicates occur because the target of an
 * alias or merge is read once for each use.
 */
function inOrder({ problems }: ConfigSource): ConfigProblem[] {
  const unique = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  return [...unique.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * Reads a config file. `name` is the type of file in messages, such as "web config file".
 *
 * Errors: AppError 'not-found' when the file cannot be read, 'invalid-argument' when it is not
 * UTF-8.
 */
export async function readConfigText(
  path: string,
  name: string,
  files: Pick<Files, 'read'>,
): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await files.read(path);
  } catch (error) {
    const isAbsent = errorCode(error) === 'not-found';
    const why = isAbsent ? 'there is no such file' : errorMessage(error);
    const message = `cannot read ${name} ${path}: ${why.replace(`cannot read ${path}: `, '')}`;
    throw new AppError('not-found', message, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const message = `cannot read ${name} ${path}: it is not UTF-8`;
    throw new AppError('invalid-argument', message, { cause: error });
  }
}

const mask = '<secret>';

/**
 * Keys whose values are secrets. They are needed because no schema reads the values of overridden
 * maps.
 */
const secretKeys = /(?:password|secret|secret_key|access_key|token|credentials)$/i;

/**
 * Masks `secrets` and values that look like secrets. Removes comments, because they may quote
 * secrets.
 */
function maskSecrets(document: Document, secrets: ReadonlySet<Node>): void {
  document.commentBefore = null;
  document.comment = null;
  visit(document, {
    Collection: (_, node) => removeComments(node),
    Pair(_, { key, value }) {
      const isSecret = isScalar(key) && secretKeys.test(String(key.value));
      if (isSecret && isScalar(value) && value.value !== null) maskText(value);
    },
    Alias: (_, node) => removeComments(node),
    Scalar(_, node) {
      removeComments(node);
      if (secrets.has(node) && node.value !== null) maskText(node);
      else if (typeof node.value === 'string') node.value = maskUrl(node.value);
    },
  });
}

function removeComments(node: Node): void {
  node.comment = null;
  node.commentBefore = null;
}

function maskText(node: Scalar): void {
  node.value = mask;
  node.type = 'PLAIN';
}
