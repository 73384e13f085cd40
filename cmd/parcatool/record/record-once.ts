// Records a run of a command, and writes its profile.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import { AppError, errorMessage } from '../../../src/base/errors.ts';
import { openLocalServer } from '../local/local-server.ts';
import { startCompanion } from './companion.ts';
import type { CommandLine, Recorder, RecordingPlan } from './recorders.ts';

/** A command, its working directory, and the path of its profile. */
export interface Recording {
  readonly args: readonly string[];
  /** Working directory of the command. */
  readonly folder: string;
  readonly file: string;
  readonly recorder: Recorder;
  readonly frequencyHz: number;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Largest value of kernel.perf_event_paranoid at which users can profile their own programs. */
const paranoidMax = 2;
const paranoidFile = '/proc/sys/kernel/perf_event_paranoid';

/** Names of files that may be profiles. */
const profileForm = /\.(?:pb\.gz|cpuprofile|collapsed|script)$/;

/**
 * Runs the command with its profiler, and writes the sum of its profiles as pprof.
 *
 * Errors: AppError 'failed-precondition' if a program is missing, perf_event is not allowed, or the
 * command fails; 'not-found' if there is no profile.
 */
export async function recordOnce(recording: Recording): Promise<void> {
  const { args, folder, file, recorder, frequencyHz, variables } = recording;
  await requireAllowed(recorder, variables);
  const scratch = await mkdtemp(join(tmpdir(), 'parcatool-record-'));
  try {
    const plan: RecordingPlan = { folder: scratch, frequencyHz, variables };
    for (const [name, text] of recorder.scripts(plan)) await writeFile(join(scratch, name), text);
    const companion = recorder.companion(plan);
    const running = companion && (await startCompanion(companion, variables));
    try {
      await runCommand(recorder.wrap(args, plan), folder, variables, args);
    } finally {
      await running?.stop();
    }
    if (recorder.exitFile !== '') {
      const code = await readFile(join(scratch, recorder.exitFile), 'utf8').catch(() => 'none');
      if (code !== '0') throw ended(args, `with code ${code}`);
    }
    const converted = recorder.convert(plan);
    if (converted !== undefined) {
      const text = await readOutput(converted, folder, variables);
      await writeFile(join(scratch, 'perf.script'), text);
    }
    const names = (await readdir(scratch, { recursive: true }))
      .filter((name) => profileForm.test(name))
      .sort();
    if (names.length === 0) {
      const why = `${args.join(' ')} made no profile by ${recorder.name}`;
      throw new AppError('not-found', `cannot record: ${why}`);
    }
    const paths = names.map((name) => join(scratch, name));
    for (const path of paths.filter((one) => one.endsWith('.collapsed'))) {
      await writeFile(path, recorder.clean(await readFile(path, 'utf8')));
    }
    await writeFile(file, await toPprof(paths));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Returns the sum of profiles of any format as pprof. A single Go profile is returned unchanged.
 */
async function toPprof(paths: readonly string[]): Promise<Uint8Array> {
  if (paths.length === 1 && paths[0].endsWith('.pb.gz')) return readFile(paths[0]);
  const server = await openLocalServer(paths.map((path) => ({ path })));
  try {
    const url = new URL('http://files.invalid/api/v1/export');
    url.searchParams.set('query', server.profileType);
    url.searchParams.set('start', formatNanos(server.range.from));
    url.searchParams.set('end', formatNanos(server.range.to));
    url.searchParams.set('format', 'pprof');
    const answer = await server.fetch(url);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 200) return bytes;
    throw new AppError('internal', `cannot write profile: ${new TextDecoder().decode(bytes)}`);
  } finally {
    await server.close();
  }
}

async function requireAllowed(
  { name, program, advice, needsPerfEvents, needsRoot }: Recorder,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (program !== '' && !(await isInstalled(program, variables['PATH'] ?? ''))) {
    const message = `cannot record by ${name}: ${program} is not on the path: ${advice}`;
    throw new AppError('failed-precondition', message);
  }
  if (needsRoot && process.geteuid?.() !== 0) {
    throw new AppError('failed-precondition', `cannot record by ${name}: it must run as root`);
  }
  if (!needsPerfEvents || process.geteuid?.() === 0) return;
  const paranoid = Number(await readFile(paranoidFile, 'utf8').catch(() => '0'));
  if (paranoid <= paranoidMax) return;
  const why = `kernel.perf_event_paranoid is ${paranoid}, and users need ${paranoidMax} or less`;
  throw new AppError('failed-precondition', `cannot record by ${name}: ${why}`);
}

async function isInstalled(program: string, path: string): Promise<boolean> {
  for (const folder of path.split(delimiter)) {
    const isThere = access(join(folder, program), constants.X_OK);
    if (await isThere.then(() => true).catch(() => false)) return true;
  }
  return false;
}

/** Runs a command, with its output on stderr. Errors: AppError 'failed-precondition'. */
async function runCommand(
  { args, variables: own }: CommandLine,
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
  shown: readonly string[],
): Promise<void> {
  const [program, ...rest] = args;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...variables, ...own },
    // Standard output is reserved for the list of files.
    stdio: ['inherit', 2, 2],
  });
  try {
    const [code, signal]: unknown[] = await once(child, 'close');
    if (code === 0) return;
    const how = code === null ? `by signal ${signal}` : `with code ${code}`;
    throw ended(shown, how);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = `cannot record ${shown.join(' ')}: ${errorMessage(error)}`;
    throw new AppError('failed-precondition', message, { cause: error });
  }
}

function ended(args: readonly string[], how: string): AppError {
  return new AppError('failed-precondition', `cannot record ${args.join(' ')}: it ended ${how}`);
}

async function readOutput(
  { args: [program, ...rest] }: CommandLine,
  folder: string,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<Uint8Array> {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  const child = spawn(program, rest, { cwd: folder, env: variables, stdio });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  await once(child, 'close');
  if (child.exitCode === 0) return Buffer.concat(parts);
  throw new AppError('failed-precondition', `cannot record: ${program} ${rest[0]} failed`);
}
