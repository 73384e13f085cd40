// Reads damaged files in foreign formats, and damaged OTLP requests. Prints counts as JSON, or how
// to repeat a failure.
//
// Use: node test/fuzz/imports.ts <first seed> <seeds> [failures to show [formats]]; a seed is 1,000
// files of the named formats, such as otlp,otlp-json. <seeds> can also be a time: 180s.
import assert from 'node:assert/strict';
import { loadSchema } from '../../src/api/transport/json/load-schema.ts';
import { messageToJson } from '../../src/api/transport/json/from-message.ts';
import { otlpOfJson } from '../../src/api/ingest/otlp/otlp-body.ts';
import { AppError } from '../../src/base/errors.ts';
import { importProfile } from '../../src/formats/import/import-profile.ts';
import { plainCounts } from '../../src/formats/reading/imported-profile.ts';
import { smallRecording } from '../../src/formats/jfr/testing/small-recording.ts';
import { cpuFile } from '../../src/formats/gperftools/testing/cpu-file.ts';
import { decodeOtlp } from '../../src/formats/otlp/decode.ts';
import { PprofColumns } from '../../src/formats/pprof/columns.ts';
import { decodePprof } from '../../src/formats/pprof/decode.ts';
import { validateProfile } from '../../src/formats/pprof/validate.ts';
import { PprofWriter } from '../../src/formats/pprof/writer.ts';
import { ProtobufWriter } from '../../src/formats/protobuf-writer.ts';
import { type RandomBelow, randomFrom } from '../../src/query/testing/random-rows.ts';
import { withinCpuTime } from './cpu-time.ts';
import { seedsFrom } from './seeds.ts';

const filesPerSeed = 1_000;
const millisMax = 50;
/**
 * Limit of the output in bytes: files are at most a few kilobytes, and their profiles are only
 * slightly larger.
 */
const outputBytesMax = 4 * 1024 * 1024;
const expectedCodes: ReadonlySet<string> = new Set([
  'invalid-argument',
  'resource-exhausted',
  'unimplemented',
]);
const context = { timeNanos: 1n, durationNanos: 5n, counts: plainCounts };
const columns = new PprofColumns();

interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
  read(bytes: Uint8Array): Read | Promise<Read>;
}

type Read = readonly { readonly pprof: Uint8Array }[];

const text = (value: string): Uint8Array => Buffer.from(value);
const file = (name: string, bytes: Uint8Array): Seed => ({
  name,
  bytes,
  read: (given) => importProfile(given, context).profiles,
});

const mapText = '00001000-00002000 r-xp 00000000 08:01 12  /bin/app\n';
const originals: readonly Seed[] = [
  file('collapsed', text('# head\nmain;read file;vfs_read_[k] 3\nmain;work 5\na;b;c;d;e 12\n')),
  file(
    'perf',
    text(
      '   node 42/43 [001]  100.500000:   10101010 cpu-clock:pppH: \n' +
        '\t 7f0000001000 inner+0x10 (/usr/bin/node)\n\t 7f0000002000 outer (inlined)\n\n' +
        'sh 7 1.5: sched:sched_switch: prev=1\n\tffffffff81 do_syscall_64+0x1 ([kernel])\n',
    ),
  ),
  file(
    'speedscope',
    text(
      '{"shared":{"frames":[{"name":"a"},{"name":"b","file":"f","line":2}]},"profiles":[' +
        '{"type":"evented","name":"t","unit":"seconds","startValue":0,"endValue":2,"events":[' +
        '{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":1},' +
        '{"type":"C","frame":1,"at":1.5},{"type":"C","frame":0,"at":2}]},' +
        '{"type":"sampled","unit":"bytes","samples":[[0,1],[1]],"weights":[3,4]}]}',
    ),
  ),
  file(
    'v8',
    text(
      '{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]},' +
        '{"id":2,"callFrame":{"functionName":"f","url":"u","lineNumber":3,"columnNumber":1}}],' +
        '"startTime":1,"endTime":9,"samples":[2,1,2],"timeDeltas":[1,2,3]}',
    ),
  ),
  file(
    'firefox',
    text(
      '{"meta":{"startTime":1e12,"interval":1,"sampleUnits":{"threadCPUDelta":"ns"}},"libs":[' +
        '{"path":"/a","codeId":"AB","start":4096,"end":8192,"offset":0}],"threads":[{"name":"t",' +
        '"samples":{"schema":{"stack":0,"time":1,"threadCPUDelta":2},"data":[[0,1,5],[1,2,7]]},' +
        '"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},' +
        '"frameTable":{"schema":{"location":0,"line":1},"data":[[0],[1,3]]},' +
        '"stringTable":["0x1234","f (a.js:1:2)"]}],"processes":[{"meta":{},"threads":[]}]}',
    ),
  ),
  file(
    'gperftools',
    cpuFile(
      [
        [1, 4_112, 4_128, 4_144],
        [2, 4_113],
      ],
      mapText,
    ),
  ),
  file(
    'gperftools',
    text(
      `heap profile: 18: 18432 [ 20: 20480] @ heap_v2/524288\n 18: 18432 [ 20: 20480] @ 0x1010 0x1020\n` +
        `MAPPED_LIBRARIES:\n${mapText}`,
    ),
  ),
  file(
    'gperftools',
    text(
      `heap_v2/524288\n  t*: 1: 8 [0: 0]\n@ 0x1010 0x1020\n  t*: 1: 8 [0: 0]\n` +
        `MAPPED_LIBRARIES:\n${mapText}`,
    ),
  ),
  file('jfr', smallRecording()),
  file('jfr', smallRecording({ isCompressed: false })),
  file('pprof', pprofFile()),
  { name: 'otlp', bytes: otlpRequest(), read: (given) => decodeOtlp(given).profiles },
  {
    name: 'otlp-json',
    bytes: await otlpInJson(),
    read: async (given) => decodeOtlp(await otlpOfJson(given), '1.10').profiles,
  },
];

const [firstText, amount, shownText = '1', wanted] = process.argv.slice(2);
const [first, shownMax] = [Number(firstText), Number(shownText)];
const formats = wanted?.split(',');
const chosen = originals.filter(({ name }) => formats?.includes(name) ?? true);
// Every file must be readable before it is damaged.
for (const { name, bytes, read } of chosen) assert.ok((await read(bytes)).length > 0, name);

let failures = 0;
const counts = { files: 0, read: 0 };

for (const seed of seedsFrom(first, amount)) {
  const random = randomFrom(seed * 32_452_843);
  for (let i = 0; i < filesPerSeed && failures < shownMax; i += 1) {
    const original = chosen[random(chosen.length)];
    const bytes = damaged(original.bytes, random);
    try {
      await withinCpuTime(millisMax, () => check(original, bytes));
    } catch (error) {
      failures += 1;
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.stderr.write(`${original.name} ${i}: ${Buffer.from(bytes).toString('base64')}\n`);
      process.stderr.write(`repeat it: node test/fuzz/imports.ts ${seed} 1 1 ${wanted ?? ''}\n`);
    }
    counts.files += 1;
  }
  if (failures >= shownMax) break;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = failures === 0 ? 0 : 1;

/** Fails unless the result is a profile that the write path can read, or one of our errors. */
async function check(original: Seed, bytes: Uint8Array): Promise<void> {
  try {
    const profiles = await original.read(bytes);
    const size = profiles.reduce((sum, { pprof }) => sum + pprof.length, 0);
    assert.ok(size <= outputBytesMax, `${bytes.length} bytes became ${size}`);
    for (const { pprof } of profiles) {
      decodePprof(pprof, columns);
      validateProfile(columns);
    }
    counts.read += 1;
  } catch (error) {
    assert.ok(error instanceof AppError, error instanceof Error ? error.stack : String(error));
    assert.ok(expectedCodes.has(error.code), `${error.code}: ${error.message}`);
  }
}

/** Returns bytes with one to three changes: bytes replaced, or ranges removed, doubled or moved. */
function damaged(bytes: Uint8Array, random: RandomBelow): Uint8Array {
  let current = Buffer.from(bytes);
  for (let left = 1 + random(3); left > 0; left -= 1) {
    const at = random(current.length + 1);
    const length = random(Math.min(64, current.length + 1 - at) + 1);
    const piece = current.subarray(at, at + length);
    const [before, rest] = [current.subarray(0, at), current.subarray(at + length)];
    const kind = random(8);
    if (kind === 0) current = Buffer.concat([before, rest]);
    else if (kind === 1) current = Buffer.concat([before, piece, piece, rest]);
    else if (kind === 2) current = Buffer.concat([rest, piece, before]);
    else if (at < current.length) {
      current = Buffer.from(current);
      // Small changes leave most of the structure intact.
      current[at] = kind === 3 ? random(256) : current[at] ^ (1 << random(3));
    }
  }
  return current;
}

function pprofFile(): Uint8Array {
  const writer = new PprofWriter();
  const mapping = writer.mapping({ file: 'app', buildId: 'ab', start: 1n, limit: 9n });
  const id = writer.function('f', '_f', 'f.c', 1);
  const location = writer.location(mapping, 5n, [[id, 3, 1]]);
  writer.sample(
    [location, writer.frame({ name: 'main' })],
    [1n, 2n],
    [
      ['k', 'v'],
      ['n', 3n],
    ],
  );
  const sampleTypes = [
    { type: 'samples', unit: 'count' },
    { type: 'cpu', unit: 'nanoseconds' },
  ];
  return Uint8Array.from(writer.finish({ sampleTypes, period: 2n, timeNanos: 5n }));
}

function otlpRequest(): Uint8Array {
  const writer = new ProtobufWriter();
  const nested = (field: number, write: () => void): void => {
    const at = writer.begin(field);
    write();
    writer.end(at);
  };
  const packed = (field: number, ...values: number[]): void =>
    nested(field, () => values.forEach((value) => writer.varint(value)));
  const string = (field: number, value: string): void =>
    writer.bytesField(field, Buffer.from(value));
  nested(1, () => {
    nested(1, () =>
      nested(1, () => {
        string(1, 'service.name');
        nested(2, () => nested(5, () => nested(1, () => string(1, 'list'))));
      }),
    );
    nested(2, () => {
      nested(1, () => string(1, 'scope'));
      nested(2, () => {
        packed(1, 8, 1, 16, 2);
        nested(2, () => {
          writer.uint(1, 1);
          packed(2, 1);
          writer.uint(3, 1);
          packed(4, 3, 4);
        });
        nested(5, () => writer.uint(1, 3));
        writer.uint(6, 7);
        packed(11, 1);
      });
    });
  });
  nested(2, () => {
    for (const value of ['', 'samples', 'count', 'cpu', 'f', 'key', 'text']) string(5, value);
    for (const table of [1, 2, 3, 4, 6, 7]) nested(table, () => undefined);
    nested(1, () => {
      writer.uint(4, 6);
      packed(5, 1);
    });
    nested(2, () => {
      writer.uint(1, 1);
      writer.uint(2, 4_096);
      nested(3, () => writer.uint(1, 1));
      packed(4, 1);
    });
    nested(3, () => writer.uint(1, 4));
    nested(4, () => string(1, 'trace'));
    nested(6, () => {
      writer.uint(1, 5);
      nested(2, () => writer.uint(8, 6));
    });
    nested(7, () => packed(1, 1, 1));
  });
  return Uint8Array.from(writer.finish());
}

async function otlpInJson(): Promise<Uint8Array> {
  const schema = await loadSchema();
  const type = 'opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest';
  return text(messageToJson(schema, schema.message(type), otlpRequest()));
}
