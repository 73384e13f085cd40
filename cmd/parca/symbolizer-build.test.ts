import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '../../src/base/logger.ts';
import { SymbolizerBuild } from './symbolizer-build.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-build-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a script in place of the build, and returns the server's log. */
async function runBuild(
  code: string,
): Promise<{ readonly lines: string[]; readonly done: number }> {
  const script = join(folder, 'build.mjs');
  writeFileSync(script, code);
  const lines: string[] = [];
  let done = 0;
  const ended = Promise.withResolvers<void>();
  const write = (line: string): void => {
    lines.push(
      line
        .trim()
        .replace(/^.*?level=/, 'level=')
        .replace(/ script=\S+/, ''),
    );
    if (line.includes('remedy')) ended.resolve();
  };
  const logger = createLogger({ level: 'info', format: 'logfmt', nowMillis: () => 0, write });
  const onDone = (): void => {
    done += 1;
    ended.resolve();
  };
  const build = new SymbolizerBuild({ script, logger, onDone });
  build.start();
  await ended.promise;
  await build.stop();
  return { lines, done };
}

const say = (text: string): string => `process.stderr.write(${JSON.stringify(`${text}\n`)});`;
const building = 'level=info msg="building parca-symbolizer, which reads DWARF faster"';
const missing = 'msg="the server reads DWARF itself: more slowly, and of files up to 128 MiB"';

test('a build says when it begins; one that has nothing to do says nothing', async () => {
  assert.deepEqual(await runBuild(''), { lines: [], done: 1 });
  const code = say('set-up: building the symbolizer');
  assert.deepEqual(await runBuild(code), { lines: [building], done: 1 });
});

test('what is missing is one line with its remedy, a failure too', async () => {
  const without = `${say('cannot build the symbolizer without Rust')} process.exitCode = 1;`;
  assert.deepEqual(await runBuild(without), {
    lines: [
      `level=info ${missing} why="cannot build the symbolizer without Rust" remedy="npm run build:symbolizer"`,
    ],
    done: 0,
  });
  const failing =
    say('set-up: building the symbolizer') +
    say('   Compiling libc\nerror: linker `cc` not found\n  note: more') +
    say('cannot build the symbolizer: it ended with 101') +
    'process.exitCode = 1;';
  assert.deepEqual(await runBuild(failing), {
    lines: [
      building,
      `level=warn ${missing} why="error: linker \`cc\` not found" remedy="npm run build:symbolizer"`,
    ],
    done: 0,
  });
});

test('a server that stops ends the build with its compilers, without a word', async () => {
  const pidFile = join(folder, 'pid');
  const script = join(folder, 'long.mjs');
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process';
     import { writeFileSync } from 'node:fs';
     const child = spawn('sleep', ['1000']);
     writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
     setInterval(() => {}, 1000);`,
  );
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    format: 'logfmt',
    nowMillis: () => 0,
    write: (line) => void lines.push(line),
  });
  const build = new SymbolizerBuild({ script, logger, onDone: () => lines.push('done') });
  build.start();
  let pid = 0;
  while (pid === 0) {
    await delay(10);
    try {
      pid = Number(readFileSync(pidFile, 'utf8'));
    } catch {
      // The file does not exist yet.
    }
  }
  await build.stop();
  await build.stop();
  while (isAlive(pid)) await delay(10);
  assert.deepEqual(lines, []);
});

function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.includes(') Z ');
  } catch {
    return false;
  }
}
