// Tests twenty-five recordings of five versions of Java, made by Java's own recorder and by three
// versions of async-profiler. Compares each stack with the output of `jfr print` and of
// async-profiler's converter. Also tests the memory that a large recording takes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { scratchDirectory } from '../support/server.ts';
import { testTool, type TestTool } from '../support/tools.ts';
import { compareConverted, type Recorder } from './jfr/compare-converted.ts';
import { compareRecording } from './jfr/compare-recording.ts';

const bin = dirname(realpathSync(testTool('TEST_JAVAC')));
const [javac, jar, jfr] = ['javac', 'jar', 'jfr'].map((name) => join(bin, name));
const folder = new URL('jfr/', import.meta.url).pathname;
const scratch = await scratchDirectory();
after(() => scratch.remove());
const sources = ['Busy.java', 'Many.java'].map((name) => join(folder, name));
// The classes are built for Java 8, because Java 8 runs them, too.
execFileSync(javac, ['--release', '8', '-Xlint:-options', '-d', scratch.path, ...sources]);

/** The machine's JDK, 17 or newer, and runtimes of other versions. */
const javas = {
  own: join(bin, 'java'),
  8: testTool('TEST_JAVA_8'),
  11: testTool('TEST_JAVA_11'),
  21: testTool('TEST_JAVA_21'),
  25: testTool('TEST_JAVA_25'),
};

function record(java: string, flags: readonly string[], program = 'Busy', seconds = 2): void {
  const args = [...flags, '-cp', scratch.path, program, String(seconds)];
  execFileSync(java, args, { stdio: 'pipe' });
}

const converter = { java: javas.own, jar: testTool('TEST_JFR_CONVERTER') };

/** Compares a recording, which must contain these events. */
function check(file: string, events: readonly string[], recorder: Recorder): void {
  const found = compareRecording(jfr, file, recorder);
  assert.ok(compareConverted(converter, file, recorder) > 0);
  const missing = events.filter((event) => !found.has(event));
  assert.deepEqual(missing, [], `found ${[...found].join()}`);
}

const ofJdk = ['jdk.ExecutionSample', 'jdk.JavaMonitorEnter', 'jdk.ThreadPark'];
for (const [name, java] of Object.entries(javas)) {
  test(`the recorder of Java ${name}, in several chunks`, () => {
    const file = join(scratch.path, `jdk-${name}.jfr`);
    const allocations = 'jdk.ObjectAllocationInNewTLAB#enabled=true';
    // Older versions accept settings of single events only from a file; the file `profile` includes
    // allocations.
    const settings = Number(name) < 17 ? ['settings=profile'] : ['settings=profile', allocations];
    const options = [`filename=${file}`, ...settings].join();
    const chunks = '-XX:FlightRecorderOptions=maxchunksize=1M';
    record(java, [`-XX:StartFlightRecording=${options}`, chunks], 'Busy', 4);
    check(file, [...ofJdk, 'jdk.ObjectAllocationInNewTLAB'], 'jdk');
  });
}

const cpu = 'jdk.ExecutionSample';
const allocated = 'jdk.ObjectAllocationInNewTLAB';
const locked = 'jdk.JavaMonitorEnter';
const live = 'profiler.LiveObject';
const wall = 'profiler.WallClockSample';
const malloc = 'profiler.Malloc';

const profilers: readonly (readonly [
  profiler: TestTool,
  java: keyof typeof javas,
  options: string,
  events: readonly string[],
])[] = [
  ['TEST_ASYNC_PROFILER_2', 8, 'event=itimer,interval=5ms,lock=1ms', [cpu, locked]],
  ['TEST_ASYNC_PROFILER_3', 8, 'event=wall,interval=10ms', [cpu]],
  ['TEST_ASYNC_PROFILER_4', 8, 'event=ctimer,wall=20ms,lock=1ms', [cpu, wall, locked]],
  ['TEST_ASYNC_PROFILER_4', 8, 'event=itimer,nativemem=10k', [cpu, malloc]],
  // If no interval is given, samples are 10 ms apart.
  ['TEST_ASYNC_PROFILER_2', 11, 'event=itimer,alloc=50k,lock=1ms', [cpu, allocated, locked]],
  ['TEST_ASYNC_PROFILER_2', 11, 'event=wall,interval=10ms', [cpu]],
  ['TEST_ASYNC_PROFILER_2', 'own', 'event=itimer,interval=5ms,threads', [cpu]],
  ['TEST_ASYNC_PROFILER_2', 'own', 'alloc=50k,live', [live]],
  ['TEST_ASYNC_PROFILER_2', 'own', 'lock=1ms', [locked]],
  ['TEST_ASYNC_PROFILER_3', 11, 'event=ctimer,interval=5ms', [cpu]],
  ['TEST_ASYNC_PROFILER_3', 'own', 'event=wall,interval=10ms', [cpu]],
  ['TEST_ASYNC_PROFILER_3', 21, 'event=itimer,interval=5ms,alloc=50k,live', [cpu, live]],
  ['TEST_ASYNC_PROFILER_3', 21, 'alloc=20k,lock=1ms', [allocated, locked]],
  ['TEST_ASYNC_PROFILER_4', 11, 'event=itimer,nativemem=10k', [cpu, malloc]],
  ['TEST_ASYNC_PROFILER_4', 'own', 'event=wall,interval=10ms,alloc=50k,live', [wall, cpu, live]],
  ['TEST_ASYNC_PROFILER_4', 21, 'event=ctimer,wall=20ms,lock=1ms', [cpu, wall, locked]],
  [
    'TEST_ASYNC_PROFILER_4',
    25,
    'event=ctimer,wall=20ms,alloc=50k,nativemem=100k',
    [cpu, wall, allocated],
  ],
  ['TEST_ASYNC_PROFILER_4', 25, 'nativemem=1k,nofree', [malloc]],
  ['TEST_ASYNC_PROFILER_4', 25, 'event=itimer,interval=2ms,cstack=vm', [cpu]],
  ['TEST_ASYNC_PROFILER_4', 25, 'event=itimer,lock=1ms', [cpu, locked]],
];

for (const [profiler, java, options, events] of profilers) {
  const version = profiler.replace('TEST_ASYNC_PROFILER_', '');
  test(`async-profiler ${version} on Java ${java}: ${options}`, () => {
    const at = join(scratch.path, profiler);
    const library = 'linux-x64/libasyncProfiler.so';
    mkdirSync(at, { recursive: true });
    execFileSync(jar, ['xf', testTool(profiler), library], { cwd: at });
    const file = join(scratch.path, `${version}-${java}-${options.replaceAll(/\W/g, '-')}.jfr`);
    record(javas[java], [`-agentpath:${join(at, library)}=start,${options},jfr,file=${file}`]);
    const ofWall = events.includes(wall) ? 'wall-4' : 'wall';
    const ofOthers = version === '2' ? 'profiler-2' : 'profiler';
    check(file, events, options.startsWith('event=wall') ? ofWall : ofOthers);
  });
}

test('a recording of 100 MB is read in less than 600 MB', () => {
  const part = join(scratch.path, 'part.jfr');
  const options = `filename=${part},settings=profile,jdk.ObjectAllocationInNewTLAB#enabled=true`;
  const flags = [`-XX:StartFlightRecording=${options}`, '-XX:TLABSize=2k', '-XX:-ResizeTLAB'];
  record(javas.own, flags, 'Many', 4);
  // Recordings can be concatenated, as the JDK's tool concatenates chunks.
  const file = join(scratch.path, 'many.jfr');
  const content = readFileSync(part);
  for (let bytes = 0; bytes < 100e6; bytes += content.length) appendFileSync(file, content);
  const script = join(folder, 'decode-alone.ts');
  const { names, peakBytes } = JSON.parse(
    execFileSync(process.execPath, [script, file], { encoding: 'utf8' }),
  ) as { names: string[]; peakBytes: number };
  assert.ok(names.includes('process_cpu') && names.includes('memory'), names.join());
  // The file's last part may be larger than 100 MB.
  assert.ok(peakBytes < 500e6 + statSync(file).size, `${peakBytes} bytes`);
});
