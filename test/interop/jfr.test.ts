// Recordings of the JDK's own recorder and of async-profiler, stack by stack against `jfr print`,
// and a minute of pushes by Pyroscope's SDK for Java.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { Profile } from 'pprof-format';
import { plainCounts } from '../../src/formats/reading/imported-profile.ts';
import { decodeJfr } from '../../src/formats/jfr/decode.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool, type TestTool } from '../support/tools.ts';
import { printedSums, type SampleSums } from './jfr/jfr-print.ts';

const bin = dirname(realpathSync(testTool('TEST_JAVAC')));
const [java, javac, jar, jfr] = ['java', 'javac', 'jar', 'jfr'].map((name) => join(bin, name));
const agent = testTool('TEST_PYROSCOPE_JAVA');
const folder = new URL('jfr/', import.meta.url).pathname;
const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(async () => {
  await server.stop();
  await scratch.remove();
});
// Java 11 runs them, too.
execFileSync(javac, [
  '--release',
  '11',
  '-d',
  scratch.path,
  '-cp',
  agent,
  ...['Busy.java', 'Labelled.java'].map((name) => join(folder, name)),
]);

/** Events by the first sample type of the profile that they become. */
const events: ReadonlyMap<string, string> = new Map([
  ['process_cpu:cpu', 'jdk.ExecutionSample'],
  ['native:samples', 'jdk.NativeMethodSample'],
  ['wall:wall', 'profiler.WallClockSample'],
  ['memory:alloc_in_new_tlab_objects', 'jdk.ObjectAllocationInNewTLAB'],
  ['memory:alloc_outside_tlab_objects', 'jdk.ObjectAllocationOutsideTLAB'],
  ['memory:alloc_sample_objects', 'jdk.ObjectAllocationSample'],
  ['memory:live', 'profiler.LiveObject'],
  ['memory:malloc_objects', 'profiler.Malloc'],
  ['mutex:contentions', 'jdk.JavaMonitorEnter'],
  ['block:contentions', 'jdk.ThreadPark'],
]);

/** Adds up what our reader makes of a recording, as `printedSums` does. */
function readSums(file: string): SampleSums {
  const sums: SampleSums = new Map();
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
  for (const { name, pprof } of decodeJfr(readFileSync(file), context).profiles) {
    const profile = Profile.decode(pprof);
    const { stringTable, location, function: functions, sample, sampleType, period } = profile;
    const text = (row: number | bigint): string => stringTable.strings[Number(row)];
    const event = events.get(`${name}:${text(sampleType[0].type)}`) ?? name;
    const factor = sampleType.length === 1 ? Number(period) : 1;
    for (const { locationId, value, label } of sample) {
      const stack = locationId.map((id) => {
        const [line] = location[Number(id) - 1].line;
        return `${text(functions[Number(line.functionId) - 1].name)}:${line.line}`;
      });
      const thread = label.find(({ key }) => text(key) === 'thread_name');
      const key = `${event} {${thread === undefined ? '' : text(thread.str)}} ${stack.join(' < ')}`;
      const counted = Number(value[0]) / factor;
      const [count, weight] = sums.get(key) ?? [0, 0];
      // The number of samples of one event of wall time is its weight.
      const isWall = name === 'wall';
      sums.set(key, [
        isWall ? 0 : count + counted,
        isWall ? weight + counted : weight + Number(value[1] ?? 0),
      ]);
    }
  }
  return sums;
}

/** Compares a recording with `jfr print`; returns the events that it has. */
function compare(file: string): Set<string> {
  const [read, printed] = [readSums(file), printedSums(jfr, file)];
  const found = new Set<string>();
  for (const [key, [count, weight]] of printed) {
    const event = key.slice(0, key.indexOf(' '));
    found.add(event);
    const isWall = event === 'profiler.WallClockSample';
    const [ours, oursWeight] = read.get(key) ?? [0, 0];
    if (!isWall) assert.equal(ours, count, key);
    // Lengths of time are printed as decimal fractions, and ours are rounded one by one.
    assert.ok(Math.abs(oursWeight - weight) <= count, `${key}: ${oursWeight}, not ${weight}`);
  }
  assert.deepEqual(
    [...read.keys()].filter((key) => !printed.has(key)),
    [],
  );
  return found;
}

function record(flags: readonly string[], program = java, seconds = 5): void {
  const args = [...flags, '-cp', scratch.path, 'Busy', String(seconds)];
  execFileSync(program, args, { stdio: 'pipe' });
}

test("the JDK's own recorder: every stack, in several chunks", () => {
  const file = join(scratch.path, 'jdk.jfr');
  const settings = ['jdk.ObjectAllocationInNewTLAB', 'jdk.ObjectAllocationOutsideTLAB'].map(
    (event) => `${event}#enabled=true`,
  );
  const options = [`filename=${file}`, 'settings=profile', 'maxchunksize=1M', ...settings];
  record([`-XX:StartFlightRecording=${options.join()}`]);
  const found = compare(file);
  for (const event of ['ExecutionSample', 'ObjectAllocationInNewTLAB', 'ObjectAllocationSample']) {
    assert.ok(found.has(`jdk.${event}`), event);
  }
  for (const event of ['JavaMonitorEnter', 'ThreadPark'])
    assert.ok(found.has(`jdk.${event}`), event);
});

test('async-profiler: CPU and wall time, allocations, live objects and locks', () => {
  const library = 'libasyncProfiler-linux-x64.so';
  execFileSync(jar, ['xf', agent, library], { cwd: scratch.path });
  const recorded = (name: string, options: string): Set<string> => {
    const file = join(scratch.path, name);
    const all = `start,${options},jfr,file=${file}`;
    record([`-agentpath:${join(scratch.path, library)}=${all}`]);
    return compare(file);
  };
  const cpu = recorded('cpu.jfr', 'event=itimer,interval=5ms,alloc=50k,lock=1ms');
  for (const event of ['ExecutionSample', 'ObjectAllocationInNewTLAB', 'JavaMonitorEnter']) {
    assert.ok(cpu.has(`jdk.${event}`), event);
  }
  const wall = recorded('wall.jfr', 'event=wall,interval=10ms,alloc=50k,live');
  assert.ok(
    wall.has('profiler.WallClockSample') && wall.has('profiler.LiveObject'),
    [...wall].join(),
  );
});

const otherJavas: readonly TestTool[] = ['TEST_JAVA_11', 'TEST_JAVA_21', 'TEST_JAVA_25'];

test('the recorders of Java 11, 21 and 25: every stack', () => {
  for (const name of otherJavas) {
    const file = join(scratch.path, `${name}.jfr`);
    const start = `-XX:StartFlightRecording=filename=${file},settings=profile`;
    record([start, '-XX:FlightRecorderOptions=maxchunksize=1M'], testTool(name), 3);
    const found = compare(file);
    assert.ok(found.has('jdk.ExecutionSample') && found.has('jdk.ThreadPark'), name);
  }
});

test('async-profiler 2, 3 and 4, on Java 11, 21 and 25: every stack', () => {
  const options: readonly (readonly [TestTool, TestTool, string])[] = [
    // Without an interval, samples are 10 ms apart.
    ['TEST_ASYNC_PROFILER_2', 'TEST_JAVA_11', 'event=itimer,alloc=50k,lock=1ms'],
    ['TEST_ASYNC_PROFILER_3', 'TEST_JAVA_21', 'event=itimer,interval=5ms,alloc=50k,live'],
    ['TEST_ASYNC_PROFILER_4', 'TEST_JAVA_25', 'event=ctimer,wall=20ms,alloc=50k,nativemem=100k'],
  ];
  for (const [profiler, machine, asked] of options) {
    const folderOfJar = join(scratch.path, profiler);
    mkdirSync(folderOfJar);
    const library = 'linux-x64/libasyncProfiler.so';
    execFileSync(jar, ['xf', testTool(profiler), library], { cwd: folderOfJar });
    const file = join(scratch.path, `${profiler}.jfr`);
    const all = `start,${asked},jfr,file=${file}`;
    record([`-agentpath:${join(folderOfJar, library)}=${all}`], testTool(machine), 3);
    const found = compare(file);
    assert.ok(found.has('jdk.ExecutionSample'), profiler);
    assert.ok(found.has('jdk.ObjectAllocationInNewTLAB'), profiler);
  }
});

test("Pyroscope's SDK for Java pushes for a minute: CPU time, allocations, labels", async () => {
  const { status, stdout, stderr } = spawnSync(
    java,
    [`-javaagent:${agent}`, '-cp', `${scratch.path}:${agent}`, 'Labelled', '60'],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        PYROSCOPE_APPLICATION_NAME: 'java.shop',
        PYROSCOPE_SERVER_ADDRESS: server.url,
        PYROSCOPE_FORMAT: 'jfr',
        PYROSCOPE_LABELS: 'region=eu',
        PYROSCOPE_UPLOAD_INTERVAL: '5s',
        PYROSCOPE_PROFILER_EVENT: 'itimer',
        PYROSCOPE_PROFILER_ALLOC: '512k',
      },
    },
  );
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(`${stdout}${stderr}`, /error|failed/i);
  const seconds = async (selected: string): Promise<number> => {
    const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
    const lines = await collapsed(`${cpu}{service_name="java.shop", region="eu"${selected}}`);
    return lines.filter((line) => line.includes('Labelled.burn')).reduce(addCount, 0) / 1e9;
  };
  const [all, cart] = [await seconds(''), await seconds(', endpoint="/cart"')];
  assert.ok(all > 10 && all < 70, `${all} s in burn`);
  assert.ok(cart > all * 0.3 && cart < all * 0.7, `${cart} s of ${all} s have the label`);
  const allocated = await collapsed(
    'memory:alloc_in_new_tlab_bytes:bytes:space:bytes:delta{service_name="java.shop"}',
  );
  assert.ok(
    allocated.some((line) => line.includes('Labelled.burn')),
    allocated.join('\n'),
  );
});

async function collapsed(query: string): Promise<string[]> {
  const parameters = new URLSearchParams({ query, start: 'now-10m', format: 'collapsed' });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.trim().split('\n');
}

function addCount(sum: number, line: string): number {
  return sum + Number(line.slice(line.lastIndexOf(' ') + 1));
}
