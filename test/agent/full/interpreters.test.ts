// Tests interpreters that make and free functions in a loop; some processes become another program
// in the middle of a stack. Every sampled name existed at the time of its sample, and the agent's
// memory stays flat.
//
// TEST_STRESS_MINUTES sets the duration, TEST_STRESS_SEED the seed of the random numbers, and
// TEST_PYTHON the Python interpreter.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { pythonProgram } from '../../../bpf/testing/programs.ts';
import { scratchDirectory } from '../../support/server.ts';
import { cleaner, startAgent } from '../support.ts';

const minutes = Number(process.env['TEST_STRESS_MINUTES'] ?? 20);
const seed = Number(process.env['TEST_STRESS_SEED'] ?? 1);
const python = process.env['TEST_PYTHON'] ?? pythonProgram();
const targets = new URL('../targets/', import.meta.url).pathname;
const library = execFileSync(python, ['-c', 'import os; print(os.path.dirname(os.__file__))'])
  .toString()
  .trim();

/** A frame of an interpreter, and the seconds in which it was sampled. */
interface SampledFrame {
  readonly name: string;
  readonly fileName: string;
  readonly startLine: number;
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** Largest age of a sampled function in seconds: on a busy host, a program waits for a CPU. */
const waitsMax = 8;

test(`names of functions are true for ${minutes} minutes of stress, seed ${seed}`, async () => {
  const cleanLater = cleaner();
  const scratch = await scratchDirectory();
  cleanLater(() => scratch.remove());
  const store = join(scratch.path, 'store');
  const agent = await startAgent([
    `--local-store-directory=${store}`,
    `--queue-directory=${join(scratch.path, 'queue')}`,
    '--profiling-duration=1s',
    '--profiling-cpu-sampling-frequency=97',
    '--profiling-sample-times=false',
    '--debuginfo-upload-disable',
  ]);
  cleanLater(() => agent.stop());
  const end = Date.now() / 1_000 + minutes * 60;
  const programs = [
    run(python, [join(targets, 'stress.py')], end, seed),
    run(python, [join(targets, 'stress.py')], end, seed + 1),
    run(process.execPath, ['--expose-gc', join(targets, 'stress.mjs')], end, seed + 2),
  ];
  const memory: number[] = [];
  while (Date.now() / 1_000 < end) {
    await sleep(2_000);
    memory.push((await agent.status()).memoryBytes);
  }
  assert.deepEqual(await Promise.all(programs), [0, 0, 0]);
  // On a busy host, the agent may exit before it has written all samples.
  await agent.stop();

  const { frames, unknown } = readFrames(store);
  const made = frames.filter(({ name }) => name.startsWith('made_'));
  const wrong = frames.filter((frame) => !isTrue(frame));
  const [early, late] = [memory.length / 3, (memory.length * 2) / 3].map((from) =>
    median(memory.slice(from, from + memory.length / 3)),
  );
  const text = [early, late].map((bytes) => (bytes / 1024 / 1024).toFixed(1)).join(' and ');
  process.stdout.write(
    `${frames.length} frames, ${made.length} of made functions, ${unknown} without a name; ` +
      `memory in the second and the last third ${text} MiB\n`,
  );
  assert.deepEqual(wrong.slice(0, 20), []);
  for (const pattern of [/\.py$/, /\.js$/]) {
    assert.ok(
      made.some(({ fileName }) => pattern.test(fileName)),
      String(pattern),
    );
  }
  assert.ok(late / early <= 1.15, `memory went from ${early} to ${late} bytes`);
});

async function run(
  program: string,
  flags: readonly string[],
  end: number,
  number: number,
): Promise<number | null> {
  const child = spawn(program, [...flags, String(end), String(number)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code as number | null;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Reads the frames of the test's programs from all profiles. */
function readFrames(store: string): { frames: SampledFrame[]; unknown: number } {
  const frames: SampledFrame[] = [];
  let unknown = 0;
  for (const entry of readdirSync(store, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const profile = Profile.decode(gunzipSync(readFileSync(path)));
    const text = (row: number | bigint): string => profile.stringTable.strings[Number(row)];
    const functions = new Map(profile.function.map((one) => [one.id, one]));
    const from = Number(profile.timeNanos) / 1e9;
    const to = from + Number(profile.durationNanos) / 1e9;
    for (const { line: lines } of profile.location) {
      for (const { functionId, line } of lines) {
        const found = functions.get(functionId);
        if (found === undefined) continue;
        const [name, fileName] = [text(found.name), text(found.filename)];
        if (name === '[unknown]') unknown += 1;
        // Other programs of the host have functions, too.
        if (!isOfTest(name, fileName)) continue;
        const startLine = Number(found.startLine);
        frames.push({ name, fileName, startLine, line: Number(line), from, to });
      }
    }
  }
  return { frames, unknown };
}

function isOfTest(name: string, fileName: string): boolean {
  return (
    name.startsWith('made_') ||
    fileName.startsWith('made-') ||
    fileName.startsWith(targets) ||
    fileName.startsWith(library)
  );
}

function isTrue(frame: SampledFrame): boolean {
  const { name, fileName, startLine, line, from, to } = frame;
  const file = /^made-(\d+)-(\d+)\.(py|js)$/.exec(fileName);
  // A function that is freed while it is read has no file.
  if (fileName === '') return startLine === 0 && line === 0;
  if (file === null) return !name.startsWith('made_') && isInSource(frame);
  const [, second, number, kind] = file;
  const isOfTime = Number(second) >= from - waitsMax && Number(second) <= to + 1;
  const first = (Number(number) % 40) + 2;
  // The code that defines the functions is sampled, too.
  if (name !== `made_${second}_${number}`) {
    return isOfTime && /^(<module>|\(anonymous\))$/.test(name);
  }
  // Samples of JavaScript have no line, and those of a freed Python function may have none.
  const isInside = line === 0 || (kind === 'py' && line >= first && line <= first + 4);
  return isOfTime && startLine === first && isInside;
}

const texts = new Map<string, readonly string[]>();

/** Returns true if the function starts at its start line in the file on the disk. */
function isInSource({ name, fileName, startLine }: SampledFrame): boolean {
  const lines = texts.get(fileName) ?? readFileSync(fileName, 'utf8').split('\n');
  texts.set(fileName, lines);
  const last = name.split('.').at(-1) ?? '';
  if (/^[<(]/.test(last)) return startLine >= 1 && startLine <= lines.length;
  // Decorators may come before the name.
  const near = lines.slice(startLine - 1, startLine + 5).join('\n');
  return new RegExp(`\\b(def|class|function|async) +${last}\\b`).test(near);
}
