// A small store whose every bit can be flipped, and what is right to answer then.
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import { noMetrics, type Metrics } from '../../src/base/metrics.ts';
import { seededRandom } from '../../src/base/random.ts';
import { openEngine } from '../../src/storage/engine.ts';
import { mendTexts } from '../../src/storage/fake/oracle.ts';
import { readAnswer } from '../../src/storage/fake/read-texts.ts';
import { internRecipe, randomRecipe } from '../../src/storage/fake/recipes.ts';
import type { Storage } from '../../src/storage/interface.ts';

const path = '/disk/data';
const startMillis = Date.UTC(2026, 0, 1);
/** Nothing is in it. */
const emptyName = `${path}/LOCK`;

/** What a flip did. */
export type FlipOutcome = 'harmless' | 'detected';

/** The files of a store that is not open, and all that it holds. */
export interface FlipTarget {
  readonly files: MemoryFiles;
  readonly texts: readonly string[];
  /** Files with their sizes; bits are counted through them in this order. */
  readonly sizes: readonly (readonly [path: string, bytes: number])[];
  readonly bytes: number;
}

/** A store of some kilobytes that ended by a kill: its log has several segments. */
export async function makeLogTarget(seed: number): Promise<FlipTarget> {
  const random = seededRandom(seed);
  const files = new MemoryFiles(random);
  const storage = await open(files, seed, new Watcher());
  for (let commit = 0; commit < 6; commit += 1) {
    const appender = storage.appender();
    for (let i = 0; i < 3; i += 1) {
      const timeNanos = BigInt(startMillis + commit * 10_000 + i) * 1_000_000n;
      const shape = { rows: 4, seriesCount: 3, functionCount: 30 };
      const recipe = randomRecipe(random, { ...shape, timeNanos, mark: undefined });
      appender.append(internRecipe(appender.dictionary, recipe));
    }
    await appender.commit();
  }
  files.kill();
  return finishTarget(files, seed);
}

async function finishTarget(files: MemoryFiles, seed: number): Promise<FlipTarget> {
  const sizes = files
    .paths()
    .filter((name) => name !== emptyName)
    .map((name) => [name, files.peek(name)?.length ?? 0] as const);
  const watcher = new Watcher();
  const { texts } = await readAnswer(await open(files.copy(seededRandom(seed)), seed, watcher));
  if (watcher.complaints.length > 0) throw new Error(watcher.complaints.join('\n'));
  return { files, texts, sizes, bytes: sizes.reduce((sum, [, bytes]) => sum + bytes, 0) };
}

/**
 * Flips one bit, starts the store, reads everything.
 *
 * Errors: an Error when something is wrong, or missing and nobody was told.
 */
export async function flipBit(target: FlipTarget, bit: number): Promise<FlipOutcome> {
  const files = target.files.copy(seededRandom(bit));
  const [name, byte] = placeOf(target, bit >>> 3);
  files.flipBit(name, byte, bit & 7);
  const watcher = new Watcher();
  try {
    const storage = await open(files, bit, watcher);
    const { texts, missing } = await readAnswer(storage);
    compare(texts, target.texts, watcher.complaints.length + missing.length > 0);
  } catch (error) {
    const where = `bit ${bit & 7} of byte ${byte} of ${name}`;
    if (!(error instanceof AppError)) throw new Error(where, { cause: error });
    return 'detected';
  }
  return watcher.complaints.length > 0 ? 'detected' : 'harmless';
}

/** Where a byte of the target is. */
function placeOf(target: FlipTarget, byte: number): [name: string, byte: number] {
  let rest = byte;
  for (const [name, bytes] of target.sizes) {
    if (rest < bytes) return [name, rest];
    rest -= bytes;
  }
  throw new Error(`there is no byte ${byte}`);
}

function compare(found: readonly string[], want: readonly string[], isDetected: boolean): void {
  const known = new Set(want);
  const seen = new Set<string>();
  for (const [i, text] of mendTexts(found, want).entries()) {
    if (!known.has(text)) throw new Error(`wrong: ${found[i]}`);
    if (seen.has(text)) throw new Error(`twice: ${found[i]}`);
    if (text !== found[i] && !isDetected) throw new Error(`nobody said that it lost: ${found[i]}`);
    seen.add(text);
  }
  if (seen.size < known.size && !isDetected) throw new Error('profiles are lost silently');
}

function open(files: MemoryFiles, seed: number, watcher: Watcher): Promise<Storage> {
  return openEngine({
    path,
    files,
    clock: createFakeClock(startMillis),
    random: seededRandom(seed),
    logger: watcher.logger,
    metrics: watcher.metrics,
    limits: { rowSegmentBytes: 16_384, walSegmentBytesMax: 1_200, diskReserveBytes: 0 },
  });
}

/** Notes warnings and errors of the log. */
class Watcher {
  readonly complaints: string[] = [];
  readonly metrics: Metrics = noMetrics;
  readonly logger: Logger = {
    error: (message) => void this.complaints.push(message),
    warn: (message) => void this.complaints.push(message),
    info: () => undefined,
    debug: () => undefined,
    with: () => this.logger,
  };
}
