// Tests files as other programs really write them: additional data is skipped and counted, and
// files that cannot be read are refused with an error that names the problem.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';

const from = 1_790_000_000;

let server: TestServer;
let folder: ScratchDirectory;
before(async () => {
  folder = await scratchDirectory();
  server = await startServer({ storagePath: join(folder.path, 'data') });
});
after(async () => {
  await server.stop();
  await folder.remove();
});

type Body = string | Uint8Array<ArrayBuffer>;

async function post(
  path: string,
  body: Body,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', body, headers });
  return { status: answer.status, text: await answer.text() };
}

/** Pushes a file as a job; returns the note about skipped data. */
async function push(job: string, body: Body, more = ''): Promise<string | undefined> {
  const { status, text } = await post(`/api/v1/push?job=${job}&from=${from}${more}`, body);
  assert.equal(status, 200, text);
  const { note } = JSON.parse(text) as { readonly note?: string };
  return note;
}

async function refused(body: Body, why: RegExp, headers?: Record<string, string>): Promise<void> {
  const { status, text } = await post(`/api/v1/push?job=no&from=${from}`, body, headers);
  const { message } = JSON.parse(text) as { readonly message: string };
  assert.equal(status, 400, text);
  assert.match(message, why);
}

/** Returns the stacks of a query as collapsed text, in order. */
async function stacks(query: string): Promise<string[]> {
  const range = { start: String(from - 60), end: String(from + 3_600) };
  const parameters = new URLSearchParams({ query, ...range, format: 'collapsed' });
  const answer = await fetch(`${server.url}/api/v1/export?${parameters}`);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text.trim().split('\n').sort();
}

const frames = ['\t            115a work (/tmp/spin)', '\t           2724a main (/tmp/libc.so.6)'];
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

test('perf script is read with any of its fields', async () => {
  const counts = 'process_cpu:samples:count::';
  const check = async (job: string, text: string, query: string, want: readonly string[]) => {
    assert.equal(await push(job, text), undefined, job);
    assert.deepEqual(await stacks(`${query}{job="${job}"}`), want, job);
  };
  const both = (header: string): string => lines(header, ...frames, '', header, ...frames, '');
  await check('untimed', both('spin 19088 cpu-clock: '), counts, ['main;work 2']);
  await check('tids', both('19088   533.919745: cpu-clock: '), counts, ['main;work 2']);
  await check('events', both('cpu-clock:pppH: '), counts, ['main;work 2']);
  await check('comm', both('Web Content 19088/19090 cpu-clock: '), counts, ['main;work 2']);
  assert.deepEqual(await stacks(`${counts}{job="comm", comm="Web Content", pid="19088"}`), [
    'main;work 2',
  ]);
  await check('bare', both('spin 19088 '), 'perf:samples:count::', ['main;work 2']);
  const nothing = '\n\t          a97cea v8::Run\n\t           891f5 start_thread\n\n';
  await check('frames', nothing, 'perf:samples:count::', ['start_thread;v8::Run 1']);
  const period = both('spin 19088   5025125 cpu-clock: ');
  await check('period', period, 'process_cpu:cpu:nanoseconds:cpu:nanoseconds', [
    'main;work 10050250',
  ]);
  const leaf = 'spin 19088 cpu-clock:             115a work+0x21 (/tmp/spin)';
  await check('leaf', lines(leaf, leaf), counts, ['work 2']);
  const other = both('spin 19088 cycles:u: ');
  await check('other', other, 'perf:samples:count:cycles:count', ['main;work 2']);
});

test('lines that perf prints next to samples are skipped and counted; source lines are kept', async () => {
  const text = lines(
    '# ========',
    '# captured on    : Thu Nov 26 17:52:32 2026',
    'perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:19088/19088',
    'spin 19088   533.904997: PERF_RECORD_COMM exec: spin:19088/19088',
    'spin 19088 [001] 533.919745:    5025125 cpu-clock: ',
    '\t            115a mix (inlined)',
    '  spin.c:2',
    '\t            115a work+0x21 (/tmp/spin)',
    '  spin.c:12',
    '\t           2724a __libc_start_call_main+0x7a (/usr/lib/libc.so.6)',
    '  libc.so.6[2724a]',
    ' insn: 48 29 ca',
    '\t0000558f0a1b\tinsn: 48 89 e5 \t# MISPRED 1 cycles [1]',
    ' /system.slice/spin.service',
    '',
    '|2        static inline long mix(long a){ return a; }',
    'spin 19088 [001] 533.929745:    5025125 cpu-clock: ',
    '\t            115b work+0x22 (/tmp/spin)',
    '  spin.c:12',
    '',
    'spin 19088   533.927918: PERF_RECORD_EXIT(19088:19088):(19085:19085)',
  );
  const note = await push('details', text);
  assert.match(note ?? '', /^7 lines were skipped, the first is line 3: "perf-exec .*PERF_RECORD/);
  const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="details"}';
  assert.deepEqual(await stacks(cpu), ['__libc_start_call_main;work;mix 5025125', 'work 5025125']);
  assert.deepEqual(await stacks(`${cpu} | frame keep file equals "spin.c"`), [
    'work 5025125',
    'work;mix 5025125',
  ]);
  const perfRecord = { 'content-type': 'text/plain' };
  await refused('# nothing\n\n', /it is text of an unknown kind/, perfRecord);
});

test('odd lines of collapsed stacks are skipped, if most lines are none', async () => {
  const type = 'process_cpu:samples:count::';
  // py-spy writes the line without a stack, other tools write 31.0.
  const note = await push('odd', 'a;b 3\n 1\na;b 31.0\na;b;c\na;c 2\n');
  assert.equal(note, '1 line was skipped, line 4: "a;b;c"');
  const total = await stacks(`${type}{job="odd"}`);
  assert.ok(total.includes('a;b 34') && total.includes('a;c 2'), total.join());
  const sum = total.reduce((all, line) => all + Number(/\d+$/.exec(line)?.[0]), 0);
  assert.equal(sum, 37);
  const { status, text } = await post(
    `/ingest?name=odd.cpu&from=${from}`,
    'a;b 3\nnothing\na;c 2\n',
  );
  assert.equal(status, 200);
  assert.match(text, /1 line was skipped, line 2: \\"nothing\\"/);
  await refused('a;b 1.5\n', /line 1 has the count 1.5, not a whole number/);
  await refused('a;b 5\nnothing\n', /line 2 does not end with a space and a count/);
});

test('curl -d, which removes the ends of lines, is refused with a remedy', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const joined = 'main;a 3main;b 4main;c 5';
  await refused(
    joined,
    /curl -d removes the ends of lines: send the file with --data-binary/,
    form,
  );
  const { status, text } = await post('/ingest?name=x', joined, form);
  assert.equal(status, 400);
  assert.match(text, /--data-binary/);
  const whole = await post(`/api/v1/push?job=form&from=${from}`, 'main;a 3\nmain;b 4\n', form);
  assert.equal(whole.status, 200, whole.text);
});

test('text that is no profile is refused by what it is', async () => {
  await refused('name;age;city\nbob;35;Rome\nann;40;Oslo\n', /table of values between semicolons/);
  await refused('a{color:red;margin:0}\nb{color:blue;margin:1px}\n', /such as code/);
  await refused('int a = 1;\nint b = 2;\n', /such as code/);
  await refused('for (i = 0; i < n; i++) {\n  a();\n}\n', /unknown kind/);
  await refused('<!doctype html>\n<title>a</title>\n', /HTML page/);
  await refused('<?xml version="1.0"?>\n<svg a="b">\n</svg>', /SVG picture/);
  await refused('10.0.0.1 - - "GET / HTTP/1.1" 200 1234\n', /unknown kind/);
  await refused('heap profile: 1: 32 [2: 64] @ heap/1048576\n', /without debug=1/);
  await refused('{"traceEvents":[]}', /a trace of Chrome/);
  await refused('[{"ph":"B","name":"a"},', /a trace of Chrome/);
  await refused('{"snapshot":{},"nodes":[],"strings":[]}', /heap snapshot of V8/);
  await refused('{"head":{},"samples":[]}', /heap profile of V8/);
  await refused('goroutine 1 [running]:\nmain.main()\n', /without debug=2/);
});

/** Encodes a profile like Pyroscope's .NET SDK, which gives functions no ids. */
function dotnetProfile(): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  const nested = (field: number, write: () => void): void => {
    const at = writer.begin(field);
    write();
    writer.end(at);
  };
  nested(1, () => {
    writer.uint(1, 1);
    writer.uint(2, 2);
  });
  nested(2, () => {
    nested(1, () => [1, 2].forEach((id) => writer.varint(id)));
    nested(2, () => writer.varint(50));
  });
  for (const id of [1, 2]) {
    nested(4, () => {
      writer.uint(1, id);
      nested(4, () => undefined);
    });
    nested(5, () => writer.uint(2, 2 + id));
  }
  for (const text of ['', 'cpu', 'nanoseconds', 'Acme!Work', 'Acme!Main']) {
    writer.bytesField(6, Buffer.from(text));
  }
  writer.int64(9, BigInt(from) * 1_000_000_000n);
  writer.int64(10, 10_000_000_000n);
  return Uint8Array.from(writer.finish());
}

test("functions of Pyroscope's .NET SDK get their ids", async () => {
  const profile = dotnetProfile();
  const form = new FormData();
  form.append('profile', new Blob([profile]), 'profile.pprof');
  const init = { method: 'POST', body: form };
  const url = `${server.url}/ingest?name=dotnet.app&spyName=dotnetspy&from=${from}&until=${from + 10}`;
  const answer = await fetch(url, init);
  assert.equal(answer.status, 200, await answer.text());
  const want = ['Acme!Main;Acme!Work 50'];
  assert.deepEqual(await stacks('process_cpu:cpu{service_name="dotnet.app"}'), want);
  await push('dotnet', profile);
  assert.deepEqual(await stacks('process_cpu:cpu{job="dotnet"}'), want);
});

test('a binary of Windows is known by its last name', async () => {
  const writer = new PprofWriter();
  const app = writer.mapping({ file: 'C:\\Program Files\\Acme\\app.exe' });
  const other = writer.mapping({ file: 'C:\\Windows\\System32\\ntdll.dll' });
  writer.sample([writer.frame({ name: 'work' }, app)], [3n]);
  writer.sample([writer.location(other, 0x1234n, [])], [4n]);
  const type = { type: 'samples', unit: 'count' };
  await push('windows', Uint8Array.from(writer.finish({ sampleTypes: [type] })));
  const query = 'samples{job="windows"}';
  assert.deepEqual(await stacks(`${query} | stack binary equals "app.exe"`), ['work 3']);
  assert.deepEqual(await stacks(`${query} | not stack binary equals "app.exe"`), [
    '0x1234 (ntdll.dll) 4',
  ]);
});
