// Tests of gperftools files; the expected numbers come from `go tool pprof -raw` on the same files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'pprof-format';
import { importProfile } from '../import/import-profile.ts';
import { plainCounts } from '../reading/imported-profile.ts';
import { cpuFile } from './testing/cpu-file.ts';

const context = { timeNanos: 1n, durationNanos: 0n, counts: plainCounts };
const map = [
  'build=/opt',
  '00400000-00401000 r--p 00000000 08:01 12  /bin/app',
  '00401000-00402000 r-xp 00001000 08:01 12  /bin/app',
  '00500000-00600000 r-xp 00000000 08:01 13  /lib/libc.so (deleted)',
  '7ffe0000-7ffe1000 rw-p 00000000 00:00 0   [stack]',
  '',
].join('\n');

/** Returns types, and samples as addresses with their files, leaf first. */
function importTexts(bytes: Uint8Array): { readonly types: string; readonly samples: string[] } {
  const { profiles } = importProfile(bytes, context);
  const profile = Profile.decode(profiles[0].pprof);
  const text = (row: number | bigint): string => profile.stringTable.strings[Number(row)];
  const locationText = (id: number | bigint): string => {
    const { address, mappingId } = profile.location[Number(id) - 1];
    const mapping = profile.mapping[Number(mappingId) - 1];
    return `${mapping === undefined ? '' : text(mapping.filename)}+${address.toString(16)}`;
  };
  return {
    types: profile.sampleType.map(({ type, unit }) => `${text(type)}:${text(unit)}`).join(),
    samples: profile.sample.map(
      ({ locationId, value }) => `${locationId.map(locationText).join(' ')} ${value.join()}`,
    ),
  };
}

test('CPU: words of every size and order; callers are in their call; the leaf is there once', () => {
  const stacks = [
    [3, 0x40_1010, 0x40_1020, 0x50_0008],
    [1, 0x40_1030, 0x40_1030, 0x40_1020],
    [2, 0x999, 0x40_1020],
  ] as const;
  for (const bytes of [4, 8] as const) {
    for (const isLittle of [true, false]) {
      assert.deepEqual(importTexts(cpuFile(stacks, map, { bytes, isLittle })), {
        types: 'samples:count,cpu:nanoseconds',
        samples: [
          '/bin/app+401010 /bin/app+40101f /lib/libc.so+500007 3,30000000',
          '/bin/app+401030 /bin/app+40101f 1,10000000',
          '+999 /bin/app+40101f 2,20000000',
        ],
      });
    }
  }
});

test("CPU: the signal handler's frame is removed from below the leaf", () => {
  const stacks = Array.from(
    { length: 40 },
    (_, i) => [1, 0x40_1010 + i, 0x50_0100, 0x40_1200 + i] as const,
  );
  const { samples } = importTexts(cpuFile(stacks, map));
  assert.deepEqual(samples[1], '/bin/app+401011 /bin/app+401200 1,10000000');
});

test('CPU: broken files are refused with the place', () => {
  const whole = cpuFile([[1, 0x40_1010, 0x40_1020]], '');
  const check = (bytes: Uint8Array, why: RegExp): void =>
    assert.throws(() => importProfile(bytes, context), why);
  check(whole.subarray(0, 48), /cannot read gperftools' CPU profile: it ends too early at byte 48/);
  check(whole.subarray(0, 70), /it ends too early/);
  const deep = Uint8Array.from(whole);
  deep[50] = 0xff;
  check(deep, /a stack has more than 8192 frames/);
});

const stack = '0x401021 0x500009';

test('heap: objects in use and allocated, as they are', () => {
  const text = [
    'heap profile:    134: 13302048 [   209: 20004088] @ heapprofile',
    `   133: 13300000 [   200: 20000000] @ ${stack}`,
    '     1:     2048 [     9:     4088] @ 0x401031',
    'an odd line',
    '     1:     2048 [     9:     4088] @ 0x4010310x1020',
    'MAPPED_LIBRARIES:',
    map,
  ].join('\n');
  assert.deepEqual(importTexts(Buffer.from(text)), {
    types: 'alloc_objects:count,alloc_space:bytes,inuse_objects:count,inuse_space:bytes',
    samples: [
      '/bin/app+401020 /lib/libc.so+500008 200,20000000,133,13300000',
      '/bin/app+401030 9,4088,1,2048',
    ],
  });
  assert.deepEqual(importProfile(Buffer.from(text), context).skipped, {
    count: 2,
    first: 4,
    text: 'an odd line',
  });
});

test('heap: sampled numbers are scaled, of tcmalloc and of jemalloc', () => {
  const want = {
    types: 'inuse_objects:count,inuse_space:bytes',
    // go tool pprof: 18 objects of 1024 bytes represent 9,225 at a rate of 524288.
    samples: ['/bin/app+401020 /lib/libc.so+500008 9225,9446403'],
  };
  const tcmalloc = [
    'heap profile: 18: 18432 [ 0: 0] @ heap_v2/524288',
    ` 18: 18432 [ 0: 0] @ ${stack}`,
    'MAPPED_LIBRARIES:',
    map,
  ];
  assert.deepEqual(importTexts(Buffer.from(tcmalloc.join('\n'))), want);
  const jemalloc = [
    'heap_v2/524288',
    '  t*: 18: 18432 [0: 0]',
    '  t0: 18: 18432 [0: 0]',
    `@ ${stack}`,
    '  t*: 18: 18432 [0: 0]',
    '  t0: 18: 18432 [0: 0]',
    '',
    'MAPPED_LIBRARIES:',
    map,
  ];
  assert.deepEqual(importTexts(Buffer.from(jemalloc.join('\n'))), want);
});
