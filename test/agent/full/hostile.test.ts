// Tests files and perf maps made to delay or break the agent, next to a plain program.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { chmod, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../../src/base/random.ts';
import { findSection, readElf, bytesSource } from '../../../src/symbolize/elf-file.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';
import {
  agentFlags,
  assertSampled,
  cleaner,
  countSamples,
  readStacks,
  startAgent,
  waitForRequests,
} from '../support.ts';
import { openWorkshop } from '../targets.ts';
import { watch } from '../watch.ts';

const frequencyHz = 997;
const cleanLater = cleaner();
const scratch = await scratchDirectory();
cleanLater(() => scratch.remove());
const at = (name: string): string => join(scratch.path, name);

/** A line of a perf map whose function covers all addresses. */
const forgedLine = '0 7fffffffffff forged\n';

test('an agent among hostile files samples a plain program as if they were not there', async () => {
  const workshop = await openWorkshop(scratch.path);
  const server = await startServer({ storagePath: at('data') });
  cleanLater(() => server.stop());
  const flags = agentFlags(server, at('queue'), frequencyHz);
  const rules = [{ source_labels: ['__meta_process_pid'], target_label: 'pid' }];
  await writeFile(at('agent.yaml'), JSON.stringify({ relabel_configs: rules }));
  const agent = await startAgent([...flags, `--config-path=${at('agent.yaml')}`]);
  cleanLater(() => agent.stop());
  await waitForRequests(agent, 3);
  const watching = watch(agent);
  const [used, programs, forged] = await Promise.all([
    workshop.start(workshop.plain, 5),
    runBroken(),
    runForgedMaps(),
  ]);
  const longest = await watching.stop();
  await waitForRequests(agent, 2);
  assert.equal(await agent.stop(), 0);
  assert.doesNotMatch(agent.log(), /level=error/);
  process.stdout.write(`the agent held up for at most ${longest.toFixed(0)} ms\n`);
  assert.ok(longest < 1_000, `the agent did not answer for ${longest} ms`);

  const samples = countSamples(await readStacks(server, `pid="${used.pid}"`));
  const wanted = used.cpuSeconds * frequencyHz;
  assert.ok(samples >= wanted * 0.99, `${samples} of ${wanted} samples`);
  assertSampled(samples, used, frequencyHz, 0.05);
  for (const pid of programs) {
    const count = countSamples(await readStacks(server, `pid="${pid}"`));
    assert.ok(count > frequencyHz * 0.2, `${count} samples of a broken program`);
  }
  for (const pid of forged) {
    const stacks = await readStacks(server, `pid="${pid}"`);
    assert.ok(countSamples(stacks) > frequencyHz * 0.5);
    assert.equal(
      countSamples(stacks, (frames) => frames.includes('forged')),
      0,
    );
  }
});

/** Runs programs from broken files, and then replaces the files' paths; returns the process ids. */
async function runBroken(): Promise<number[]> {
  const pipe = at('pipe');
  execFileSync('mkfifo', [pipe]);
  await symlink(at('loop'), at('loop'));
  await writeFile(at('headers'), Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(60, 0xff)]));
  writeFileSync(at('sparse'), (await readFile(at('busy-c'))).subarray(0, 64));
  truncateSync(at('sparse'), 2 ** 36);
  await breakSections();
  await breakUnwinding();
  const files = [pipe, at('loop'), at('headers'), at('sparse'), '/dev/zero', '/dev/null'];
  const started = [
    spawn(at('broken-sections'), ['qsort', '0.6']),
    spawn(at('broken-unwinding'), ['qsort', '0.6']),
    spawn(at('hostile'), ['maps', '0.6', ...files]),
  ];
  const ended = started.map((child) => once(child, 'exit'));
  // One running file's path becomes a pipe; the other's path becomes a link to itself.
  await rename(pipe, at('broken-sections'));
  await rename(at('loop'), at('broken-unwinding'));
  for (const [code, signal] of await Promise.all(ended))
    assert.deepEqual([code, signal], [0, null]);
  return started.map(({ pid }) => pid ?? 0);
}

/** Makes a program whose section table is outside the file and has the wrong size. */
async function breakSections(): Promise<void> {
  const bytes = await readFile(at('busy-c'));
  bytes.writeBigUInt64LE(0x7fff_ffff_ffff_fff0n, 40);
  bytes.writeUInt16LE(0xffff, 60);
  await writeProgram('broken-sections', bytes);
}

/** Makes a program whose unwinding rules are random bytes. */
async function breakUnwinding(): Promise<void> {
  const bytes = await readFile(at('busy-c'));
  const elf = await readElf(bytesSource(bytes));
  const random = seededRandom(1);
  for (const name of ['.eh_frame', '.eh_frame_hdr', '.note.gnu.build-id']) {
    const section = findSection(elf, name);
    assert.ok(section !== undefined, name);
    for (let i = section.offset; i < section.offset + section.size; i += 1) {
      bytes[i] = random.uint32();
    }
  }
  await writeProgram('broken-unwinding', bytes);
}

async function writeProgram(name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(at(name), bytes);
  await chmod(at(name), 0o755);
}

/** Runs Node with perf maps that must not be read; returns the process ids. */
async function runForgedMaps(): Promise<number[]> {
  const program = new URL('../targets/busy.mjs', import.meta.url).pathname;
  const kinds = ['of another user', 'a pipe', 'huge', 'a link', 'endless'] as const;
  const started = kinds.map((kind) => {
    const child = spawn(process.execPath, [program, '1']);
    const pid = child.pid ?? 0;
    const map = `/tmp/perf-${pid}.map`;
    const stop = makeMap(map, kind);
    const ended = once(child, 'exit').finally(() => {
      stop();
      rmSync(map);
    });
    return { kind, pid, ended };
  });
  await Promise.all(started.map(({ ended }) => ended));
  // The endless map belongs to the user of its process, so the agent reads it as time allows.
  return started.filter(({ kind }) => kind !== 'endless').map(({ pid }) => pid);
}

/** Makes a perf map; returns a function that stops changing it. */
function makeMap(path: string, kind: string): () => void {
  if (kind === 'a pipe') {
    execFileSync('mkfifo', [path]);
  } else if (kind === 'a link') {
    writeFileSync(at('linked'), forgedLine);
    execFileSync('ln', ['-s', at('linked'), path]);
  } else {
    writeFileSync(path, forgedLine);
  }
  if (kind === 'of another user') chownSync(path, 12_345, 12_345);
  if (kind === 'huge') truncateSync(path, 2 ** 34);
  if (kind !== 'endless') return () => undefined;
  const lines = Array.from({ length: 20_000 }, (_, i) => `${(i * 64).toString(16)} 40 f${i}\n`);
  const timer = setInterval(() => appendFileSync(path, lines.join('')), 50);
  return () => clearInterval(timer);
}
