// Flips a bit of a small store, and compares the store's answers with the correct ones.
import type { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import { seededRandom } from '../../src/base/random.ts';
import { mendTexts } from '../../src/storage/fake/oracle.ts';
import { readAnswer } from '../../src/storage/fake/read-texts.ts';
import { openFlipped, path, questions } from './flip-stores.ts';

/** A file without content. */
const emptyName = `${path}/LOCK`;

/** Effect of a flip. */
type FlipOutcome = 'harmless' | 'detected';

/** Files of a closed store, and its answers to queries. */
export interface FlipTarget {
  readonly files: MemoryFiles;
  /** Distinct allowed answers to each query, as strings. */
  readonly answers: readonly ReadonlySet<string>[];
  /** Files and their sizes. Bits are numbered through all files in this order. */
  readonly sizes: readonly (readonly [path: string, bytes: number])[];
  readonly bytes: number;
}

/** Makes a target from files. Errors: an Error if the files are damaged. */
export async function createFlipTarget(files: MemoryFiles): Promise<FlipTarget> {
  const sizes = files
    .paths()
    .filter((name) => name !== emptyName)
    .map((name) => [name, files.peek(name)?.length ?? 0] as const);
  const watcher = new Watcher();
  const storage = await openFlipped(files.copy(seededRandom(1)), 1, watcher.logger);
  const answers: ReadonlySet<string>[] = [];
  for (const question of questions) {
    const { texts, missing } = await readAnswer(storage, question, question.areSumsChecked);
    watcher.complaints.push(...missing);
    answers.push(new Set(texts));
  }
  if (watcher.complaints.length > 0) throw new Error(watcher.complaints.join('\n'));
  return { files, answers, sizes, bytes: sizes.reduce((sum, [, bytes]) => sum + bytes, 0) };
}

/**
 * Flips one bit, opens the store and runs all queries.
 *
 * Errors: an Error if an answer is wrong, or lacks profiles without a warning.
 */
export async function flipBit(target: FlipTarget, bit: number): Promise<FlipOutcome> {
  const files = target.files.copy(seededRandom(bit));
  const [name, byte] = locateByte(target, bit >>> 3);
  files.flipBit(name, byte, bit & 7);
  const watcher = new Watcher();
  try {
    const storage = await openFlipped(files, bit, watcher.logger);
    for (const [i, question] of questions.entries()) {
      const { texts, missing } = await readAnswer(storage, question, question.areSumsChecked);
      compare(texts, target.answers[i], watcher.complaints.length + missing.length > 0);
    }
  } catch (error) {
    const where = `bit ${bit & 7} of byte ${byte} of ${name}`;
    if (!(error instanceof AppError)) throw new Error(where, { cause: error });
    return 'detected';
  }
  return watcher.complaints.length > 0 ? 'detected' : 'harmless';
}

/** Returns the file and the offset of a byte of the target. */
function locateByte(target: FlipTarget, byte: number): [name: string, byte: number] {
  let rest = byte;
  for (const [name, bytes] of target.sizes) {
    if (rest < bytes) return [name, rest];
    rest -= bytes;
  }
  throw new Error(`there is no byte ${byte}`);
}

function compare(found: readonly string[], known: ReadonlySet<string>, isDetected: boolean): void {
  const seen = new Set<string>();
  for (const [i, text] of mendTexts(found, known).entries()) {
    if (!known.has(text)) throw new Error(`wrong: ${found[i]}`);
    if (seen.has(text)) throw new Error(`twice: ${found[i]}`);
    if (text !== found[i] && !isDetected) throw new Error(`nobody said that it lost: ${found[i]}`);
    seen.add(text);
  }
  if (seen.size < known.size && !isDetected) throw new Error('profiles are lost silently');
}

/** Collects logged warnings and errors. */
class Watcher {
  readonly complaints: string[] = [];
  readonly logger: Logger = {
    error: (message) => void this.complaints.push(message),
    warn: (message) => void this.complaints.push(message),
    info: () => undefined,
    debug: () => undefined,
    with: () => this.logger,
  };
}
