// Tests messages of OTLP and of Pyroscope's clients with a single mistake each: the error says what
// is wrong and where, and nothing of the message is stored.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';

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

type Body = string | Uint8Array<ArrayBuffer> | FormData;

/** Sends a message; returns the status and the error about the mistake. */
async function send(
  path: string,
  body: Body,
  contentType?: string,
): Promise<{ readonly status: number; readonly why: string }> {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body });
  const text = await answer.text();
  const json: unknown = text.startsWith('{') ? JSON.parse(text) : {};
  const { message, partialSuccess } = Object(json);
  return { status: answer.status, why: message ?? partialSuccess?.errorMessage ?? text };
}

async function storedCount(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^parca_ingest_profiles_total (\d+)$/m.exec(text)?.[1]);
}

/** Returns a copy of `value` in which the value at `path` (`a.0.b`) is `to`. */
function withChange(value: unknown, path: string, to: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at: unknown = copy;
  for (const key of keys) {
    assert.ok(typeof at === 'object' && at !== null && key in at, `${path} has no ${key}`);
    at = Reflect.get(at, key);
  }
  Reflect.set(Object(at), last, to);
  return copy;
}

const text = (stringValue: string) => ({ stringValue });
const profilePath = 'resourceProfiles.0.scopeProfiles.0.profiles.0';
const request = {
  resourceProfiles: [
    {
      resource: { attributes: [{ key: 'service.name', value: text('bad') }] },
      scopeProfiles: [
        {
          scope: { name: 'scope', version: '1' },
          profiles: [
            {
              sampleType: { typeStrindex: 1, unitStrindex: 2 },
              periodType: { typeStrindex: 3, unitStrindex: 4 },
              period: '50000000',
              timeUnixNano: '1790000000000000000',
              durationNano: '5000000000',
              samples: [{ stackIndex: 1, values: ['3'], attributeIndices: [1], linkIndex: 1 }],
              attributeIndices: [1],
            },
          ],
        },
      ],
    },
  ],
  dictionary: {
    stringTable: ['', 'samples', 'count', 'cpu', 'nanoseconds', 'main', 'key'],
    functionTable: [{}, { nameStrindex: 5 }],
    locationTable: [{}, { mappingIndex: 1, address: 4096, lines: [{ functionIndex: 1, line: 3 }] }],
    stackTable: [{}, { locationIndices: [1] }],
    attributeTable: [{}, { keyStrindex: 6, value: text('value') }],
    linkTable: [{}, { traceId: '0102', spanId: '0a0b' }],
    mappingTable: [{}, { memoryStart: 1, filenameStrindex: 5, attributeIndices: [1] }],
  },
};

/** Path in the request, its new value, and the expected error. */
type Change = readonly [path: string, to: unknown, why: string];

const inProfile: readonly Change[] = [
  ['sampleType', 7, 'expected an object'],
  ['sampleType', {}, 'it has no sample type'],
  ['sampleType.typeStrindex', 'x', 'expected an integer'],
  ['sampleType.typeStrindex', 1.5, 'expected an integer'],
  ['sampleType.typeStrindex', 2 ** 31, '2147483648 is out of range'],
  ['sampleType.typeStrindex', 99, 'the dictionary has no string 99'],
  ['sampleType.typeStrindex', -1, 'the dictionary has no string past 2^31'],
  ['periodType.unitStrindex', 99, 'the dictionary has no string 99'],
  ['period', 'abc', 'expected an integer'],
  ['timeUnixNano', -1, '-1 is out of range'],
  ['timeUnixNano', '1e3x', 'expected an integer'],
  ['durationNano', -5, '-5 is out of range'],
  ['samples', 7, 'expected a list'],
  ['samples.0', 'x', 'expected an object'],
  ['samples.0.stackIndex', 'x', 'expected an integer'],
  ['samples.0.stackIndex', 99, 'the dictionary has no stack 99'],
  ['samples.0.stackIndex', -1, 'the dictionary has no stack past 2^31'],
  ['samples.0.values', 'x', 'expected a list'],
  ['samples.0.values.0', 'x', 'expected an integer'],
  ['samples.0.values.0', 2 ** 70, 'a number past 2^53 must be written as a string'],
  ['samples.0.attributeIndices', [77], 'the dictionary has no attribute 77'],
  ['samples.0.linkIndex', 55, 'the dictionary has no link 55'],
  ['samples.0.timestampsUnixNano', [1, 2, 3], 'sample 0 has 1 values and 3 timestamps'],
  ['attributeIndices', [9], 'the dictionary has no attribute 9'],
];
const location = 'dictionary.locationTable.1';
const elsewhere: readonly Change[] = [
  ['resourceProfiles', 7, 'expected a list'],
  ['resourceProfiles.0', 7, 'expected an object'],
  ['resourceProfiles.0.resource', 'x', 'expected an object'],
  ['resourceProfiles.0.resource.attributes', {}, 'expected a list'],
  ['resourceProfiles.0.resource.attributes.0.key', 7, 'expected a string'],
  ['resourceProfiles.0.resource.attributes.0.value', 'x', 'expected an object'],
  ['resourceProfiles.0.resource.attributes.0.value.intValue', 'x', 'value is already set'],
  ['resourceProfiles.0.scopeProfiles', 'x', 'expected a list'],
  ['resourceProfiles.0.scopeProfiles.0.scope.name', 7, 'expected a string'],
  ['resourceProfiles.0.scopeProfiles.0.profiles', {}, 'expected a list'],
  ['dictionary', [], 'expected an object'],
  ['dictionary', undefined, 'the dictionary has no string 1'],
  ['dictionary.stringTable', 'x', 'expected a list'],
  ['dictionary.stringTable.1', 5, 'expected a string'],
  ['dictionary.functionTable.1', 3, 'expected an object'],
  ['dictionary.functionTable.1.nameStrindex', 99, 'the dictionary has no string 99'],
  [`${location}.lines`, 3, 'expected a list'],
  [`${location}.address`, -1, '-1 is out of range'],
  [`${location}.mappingIndex`, 9, 'the dictionary has no mapping 9'],
  [`${location}.lines.0.functionIndex`, 9, 'the dictionary has no function 9'],
  ['dictionary.stackTable.1.locationIndices.0', 'a', 'expected an integer'],
  ['dictionary.stackTable.1.locationIndices', [9], 'the dictionary has no location 9'],
  ['dictionary.attributeTable.1.value', [], 'expected an object'],
  ['dictionary.attributeTable.1.keyStrindex', 99, 'the dictionary has no string 99'],
  ['dictionary.linkTable.1.traceId', 5, 'expected a string'],
  ['dictionary.mappingTable.1.filenameStrindex', 99, 'the dictionary has no string 99'],
  ['dictionary.mappingTable.1.attributeIndices', [9], 'the dictionary has no attribute 9'],
];
const otlpChanges: readonly Change[] = [
  ...inProfile.map(([path, to, why]): Change => [`${profilePath}.${path}`, to, why]),
  ...elsewhere,
];

test('OTLP: 50 messages that are wrong in one place', async () => {
  assert.ok(otlpChanges.length >= 50);
  const json = 'application/json';
  const whole = await send('/v1development/profiles', JSON.stringify(request), json);
  assert.equal(whole.status, 200, whole.why);
  const before = await storedCount();
  for (const [path, to, why] of otlpChanges) {
    const body = JSON.stringify(withChange(request, path, to));
    const answer = await send('/v1development/profiles', body, json);
    const what = `${path} = ${JSON.stringify(to)}: ${answer.status} ${answer.why}`;
    // Errors name the path in JSON, the row of the dictionary, or the profile that was rejected.
    const place = path.replace(/\.(\d+)/g, '[$1]');
    const isRow = /^(the dictionary|it has|sample \d)/.test(why);
    if (!isRow) assert.equal(answer.why, `cannot parse ${place}: ${why}`, what);
    else if (answer.status === 200) {
      assert.equal(answer.why, `cannot read profile 0 of the request: ${why}`, what);
    } else assert.equal(answer.why, why, what);
    assert.ok(answer.status === 400 || (isRow && answer.status === 200), what);
  }
  const bytes: readonly (readonly [bytes: number[], why: RegExp])[] = [
    [[0x0a], /length of 0 bytes passes the end|ends/],
    [[0x0a, 5, 1], /^cannot decode ExportProfilesServiceRequest: .* at byte 2$/],
    [[0x00], /invalid field number at byte 1$/],
    [[0x0f, 1], /unknown wire type 7 of field 1 at byte 1$/],
    [Array.from({ length: 12 }, () => 0xff), /varint longer than 64 bits/],
  ];
  for (const [given, why] of bytes) {
    const answer = await send(
      '/v1development/profiles',
      Uint8Array.from(given),
      'application/x-protobuf',
    );
    assert.match(answer.why, why);
    assert.equal(answer.status, 400);
  }
  assert.equal(await storedCount(), before);
});

type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]];

/** Encodes a message field by field, so that tests can write what no encoder would write. */
function message(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  for (const [number, value] of fields) {
    if (typeof value === 'number') {
      writer.varint(number * 8);
      writer.varint(value);
    } else if (typeof value === 'string') writer.bytesField(number, Buffer.from(value));
    else if (value instanceof Uint8Array) writer.bytesField(number, value);
    else writer.bytesField(number, message(value));
  }
  return Uint8Array.from(writer.finish());
}

const strings: readonly Field[] = ['', 'cpu', 'nanoseconds', 'main'].map((one) => [6, one]);
const sampleType: Field = [
  1,
  [
    [1, 1],
    [2, 2],
  ],
];
const sample: Field = [
  2,
  [
    [1, Uint8Array.of(1)],
    [2, Uint8Array.of(7)],
  ],
];
const mapping: Field = [3, [[1, 1]]];
const place: Field = [
  4,
  [
    [1, 1],
    [2, 1],
    [
      4,
      [
        [1, 1],
        [2, 3],
      ],
    ],
  ],
];
const fn: Field = [
  5,
  [
    [1, 1],
    [2, 3],
  ],
];
const pprof = { strings, rest: [sampleType, sample, mapping, place, fn] };

/** Encodes a profile in which one field is replaced. */
function profileWith(old: Field, to: readonly Field[], table = pprof.strings): Uint8Array {
  return message([...table, ...pprof.rest.flatMap((one) => (one === old ? to : [one]))]);
}

const pushes: readonly (readonly [profile: Uint8Array, why: string])[] = [
  [new Uint8Array(0), 'failed to parse profile: it is empty'],
  [Uint8Array.of(1, 2, 3), 'failed to parse profile: invalid field number at byte 1'],
  [
    gzipSync(Buffer.from('text')),
    'failed to parse profile: wrong wire type 4 for field 14 at byte 1',
  ],
  [
    gzipSync(message(pprof.strings)).subarray(0, 15),
    'failed to parse profile: cannot gunzip 15 bytes: unexpected end of file',
  ],
  [profileWith(sampleType, []), 'invalid profile: missing sample type information'],
  [
    profileWith(sampleType, [[1, [[1, 9]]]]),
    'invalid profile: sample type 0 has invalid type index',
  ],
  [
    profileWith(sampleType, [
      [
        1,
        [
          [1, 1],
          [2, 9],
        ],
      ],
    ]),
    'invalid profile: sample type 0 has invalid unit index',
  ],
  [
    profileWith(sample, [
      [
        2,
        [
          [1, Uint8Array.of(1)],
          [2, Uint8Array.of(7, 8)],
        ],
      ],
    ]),
    'invalid profile: mismatch: sample has 2 values vs. 1 types',
  ],
  [
    profileWith(sample, [
      [
        2,
        [
          [1, Uint8Array.of(0)],
          [2, Uint8Array.of(7)],
        ],
      ],
    ]),
    'invalid profile: location ids of stacktraces must be non-zero',
  ],
  [
    profileWith(sample, [
      [
        2,
        [
          [1, Uint8Array.of(5)],
          [2, Uint8Array.of(7)],
        ],
      ],
    ]),
    'invalid profile: sample 0 location number 0 (5) is out of range',
  ],
  [
    profileWith(sample, [
      [
        2,
        [
          [1, Uint8Array.of(1)],
          [2, Uint8Array.of(7)],
          [3, [[2, 3]]],
        ],
      ],
    ]),
    'invalid profile: sample 0 label 0 has no key',
  ],
  [
    profileWith(sample, [
      [
        2,
        [
          [1, Uint8Array.of(1)],
          [2, Uint8Array.of(7)],
          [3, [[1, 9]]],
        ],
      ],
    ]),
    'invalid profile: sample 0 label 0 has invalid key index',
  ],
  [
    profileWith(sample, [
      [
        2,
        [
          [1, Uint8Array.of(1)],
          [2, Uint8Array.of(7)],
          [
            3,
            [
              [1, 3],
              [2, 9],
            ],
          ],
        ],
      ],
    ]),
    'invalid profile: sample 0 label 0 has invalid str index',
  ],
  [
    profileWith(sample, [
      [
        2,
        [
          [1, Uint8Array.of(0x80)],
          [2, Uint8Array.of(7)],
        ],
      ],
    ]),
    'failed to parse profile: a field passes the end of its message at byte 38',
  ],
  [profileWith(mapping, [[3, [[1, 2]]]]), 'invalid profile: location has invalid mapping id'],
  [
    profileWith(mapping, [
      [
        3,
        [
          [1, 1],
          [5, 9],
        ],
      ],
    ]),
    'invalid profile: mapping (id: 1) has invalid filename index',
  ],
  [
    profileWith(mapping, [
      [
        3,
        [
          [1, 1],
          [6, 9],
        ],
      ],
    ]),
    'invalid profile: mapping (id: 1) has invalid buildid index',
  ],
  [
    profileWith(place, [[4, [[1, 2]]]]),
    'invalid profile: sample 0 location number 0 (1) is out of range',
  ],
  [
    profileWith(place, [
      [
        4,
        [
          [1, 1],
          [2, 9],
        ],
      ],
    ]),
    'invalid profile: location has invalid mapping id',
  ],
  [
    profileWith(place, [
      [
        4,
        [
          [1, 1],
          [4, [[1, 9]]],
        ],
      ],
    ]),
    'invalid profile: location 1 has invalid function id',
  ],
  [profileWith(fn, [[5, [[1, 2]]]]), 'invalid profile: location 1 has invalid function id'],
  [
    profileWith(fn, [
      [
        5,
        [
          [1, 1],
          [2, 9],
        ],
      ],
    ]),
    'invalid profile: function (id: 1) has invalid name index',
  ],
  [
    profileWith(fn, [
      [
        5,
        [
          [1, 1],
          [3, 9],
        ],
      ],
    ]),
    'invalid profile: function (id: 1) has invalid systemname index',
  ],
  [
    profileWith(fn, [
      [
        5,
        [
          [1, 1],
          [4, 9],
        ],
      ],
    ]),
    'invalid profile: function (id: 1) has invalid filename index',
  ],
  [
    profileWith(fn, [], [[6, 'x'], ...strings]),
    'invalid profile: first item in string table is expected to be empty string, but it is "x"',
  ],
  [profileWith(fn, [[5, 7]]), 'failed to parse profile: wrong wire type 0 for field 5 at byte 57'],
];

const pushChanges: readonly Change[] = [
  ['series', 7, 'expected a list'],
  ['series.0', 'x', 'expected an object'],
  ['series.0.labels', 'x', 'expected a list'],
  ['series.0.labels.0.name', 7, 'expected a string'],
  ['series.0.samples', {}, 'expected a list'],
  ['series.0.samples.0.rawProfile', 7, 'expected a string'],
  ['series.0.samples.0.rawProfile', 'no base64!', 'expected base64'],
];

const when = 'from=1790000000&until=1790000010';
const form = (parts: Readonly<Record<string, string | Uint8Array>>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    data.append(name, new Blob([typeof value === 'string' ? value : Uint8Array.from(value)]), name);
  }
  return data;
};
const profile = message([...strings, ...pprof.rest]);
const ingests: readonly (readonly [parameters: string, body: Body, why: string])[] = [
  ['', 'a 1', 'name: cannot be blank.'],
  ['name=', 'a 1', 'name: "" has no application'],
  ['name={a=b}', 'a 1', 'name: "{a=b}" has no application'],
  ['name=x{a=b', 'a 1', 'name: "x{a=b" has no closing brace'],
  ['name=x{a}', 'a 1', 'name: "x{a}" has a label without "=": a'],
  ['name=x&from=soon', 'a 1', 'from: cannot read time "soon"'],
  ['name=x&until=soon', 'a 1', 'until: cannot read time "soon"'],
  ['name=x&format=jfr', 'FLR', 'jfr: it does not begin with FLR'],
  ['name=x&format=jfr', 'FLR\0', 'cannot read JFR: chunk 1 ends within its header at byte 0'],
  ['name=x&format=jfr', form({ labels: 'a' }), 'jfr: the form has no such part'],
  ['name=x&format=trie', 'a', 'cannot read trie: length of 97 bytes passes the end at byte 1'],
  ['name=x&format=tree', '\0', 'cannot read tree: it ends within a node at byte 1'],
  [
    'name=x',
    'a;b',
    'cannot read collapsed stacks: line 1 does not end with a space and a count at byte 0',
  ],
  [
    'name=x',
    'a 1\nb;c 1.5',
    'cannot read collapsed stacks: line 2 has the count 1.5, not a whole number at byte 4',
  ],
  [
    'name=x',
    'a -1',
    'cannot read collapsed stacks: line 1 has the count -1, not a whole number at byte 0',
  ],
  [
    'name=x',
    Uint8Array.of(97, 0xff, 32, 49),
    'cannot read collapsed stacks: line 1 is not UTF-8 at byte 0',
  ],
  [
    'name=x',
    `${'a;'.repeat(9_000)}b 1`,
    'cannot read collapsed stacks: line 1 has more than 8192 frames (--profile-max-stack-depth)',
  ],
  ['name=x&format=speedscope', '{', 'cannot read speedscope file: Expected property name'],
  [
    'name=x&format=speedscope',
    '{"shared":{}}',
    'cannot read speedscope file: shared.frames is not a list',
  ],
  [
    'name=x&format=pprof',
    'text',
    'failed to parse profile: unknown wire type 4 of field 14 at byte 1',
  ],
  ['name=x&format=pprof', '', 'invalid profile: first item in string table'],
  ['name=x', form({ other: 'x' }), 'profile: the form has no such part'],
  [
    'name=x',
    form({ profile: 'text' }),
    'failed to parse profile: unknown wire type 4 of field 14 at byte 1',
  ],
  [
    'name=x',
    form({ profile, prev_profile: 'text' }),
    'failed to parse profile: wrong wire type 4 for field 14 at byte 1',
  ],
  ['name=x', form({ jfr: 'FLR' }), 'jfr: the form needs the parameter format=jfr'],
  [
    'name=x',
    form({ profile, sample_type_config: '{' }),
    'sample_type_config: Expected property name',
  ],
];

test('Pyroscope: 50 pushes that are wrong in one place', async () => {
  const path = '/push.v1.PusherService/Push';
  const json = 'application/json';
  const labels = [
    { name: '__name__', value: 'process_cpu' },
    { name: 'service_name', value: 'bad' },
  ];
  const series = (raw: Uint8Array) => ({
    series: [{ labels, samples: [{ rawProfile: Buffer.from(raw).toString('base64') }] }],
  });
  const pushed = await send(path, JSON.stringify(series(profile)), json);
  assert.equal(pushed.status, 200, pushed.why);
  const before = await storedCount();
  assert.ok(pushes.length + pushChanges.length + ingests.length >= 50);
  for (const [raw, why] of pushes) {
    const answer = await send(path, JSON.stringify(series(raw)), json);
    assert.deepEqual(answer, { status: 400, why });
  }
  for (const [place, to, why] of pushChanges) {
    const answer = await send(path, JSON.stringify(withChange(series(profile), place, to)), json);
    const where = place.replace(/\.(\d+)/g, '[$1]');
    assert.deepEqual(answer, { status: 400, why: `cannot parse ${where}: ${why}` });
  }
  for (const [parameters, body, why] of ingests) {
    const times = parameters.includes('=soon') ? '' : `&${when}`;
    const answer = await send(`/ingest?${parameters}${times}`, body);
    assert.ok(answer.why.startsWith(why), `${parameters}: ${answer.why}`);
    const isMissing = why.includes('not supported') && !why.startsWith('prev');
    assert.equal(answer.status, isMissing ? 501 : why.includes('more than 8192') ? 429 : 400);
  }
  assert.equal(await storedCount(), before);
});
