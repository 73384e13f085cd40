// Benchmarks of the write path, as ratios within one run: decoding pprof relative to code generated
// by protobufjs, and ingest relative to gunzip alone.
//
// The objects of protobufjs are kept until the next request, as in a program that uses them. If
// they were dropped immediately, decoding would take a third of the time, because V8 would hardly
// collect garbage.
import { gunzipSync, gzipSync } from 'node:zlib';
import { MemoryFiles } from '../src/base/fake/memory-files.ts';
import { silentLogger } from '../src/base/logger.ts';
import { noMetrics } from '../src/base/metrics.ts';
import { createClock } from '../src/base/node/clock.ts';
import { seededRandom } from '../src/base/random.ts';
import { openContent } from '../src/formats/gzip.ts';
import { PprofColumns } from '../src/formats/pprof/columns.ts';
import { decodePprof } from '../src/formats/pprof/decode.ts';
import { createIngester } from '../src/ingest/ingester.ts';
import type { ProfileUpload } from '../src/ingest/interface.ts';
import type { Appender, Storage } from '../src/storage/interface.ts';
import { openStore } from '../src/storage/store/open-store.ts';
import { type FleetProfile, generateFleet } from './fleet/fleet.ts';
import { loadProtobufjsDecoder } from './fleet/protobufjs-profile.ts';
import { createUniverse } from './fleet/universe.ts';
import { writeHeapProfile } from './fleet/write-profile.ts';
import { measureInTurns, reportRatio } from './measure.ts';

// There are so few profiles that they stay in a core's cache. They are in the cache in a server,
// too, because it decodes a profile right after gunzip.
const fleet = [...generateFleet({ series: 20, profilesPerSeries: 1 })];
const decodeWithProtobufjs = await loadProtobufjsDecoder();

benchDecode(
  'decode of symbolized profiles',
  fleet.map((profile) => openContent(profile.gzipped).bytes),
  7,
);
const random = seededRandom(2);
const heaps = Array.from(
  { length: 4 },
  () =>
    openContent(gzipSync(writeHeapProfile(random, createUniverse(random, 1).programs[0]))).bytes,
);
benchDecode('decode of sample-heavy profiles', heaps, 15);
await benchIngest(fleet);

function benchDecode(name: string, messages: readonly Uint8Array[], goal: number): void {
  const columns = new PprofColumns();
  const requests = cutIntoGroups(4, messages);
  let rows = 0;
  const [own, generated, garbage] = measureInTurns([
    {
      name: 'columns',
      run: () => {
        for (const request of requests) {
          for (const message of request) {
            decodePprof(message, columns);
            rows += columns.sampleCount;
          }
        }
      },
    },
    {
      name: 'protobufjs',
      run: () => {
        for (const request of requests) {
          const decoded = request.map((message) => decodeWithProtobufjs(message));
          for (const profile of decoded) rows -= profile.sample.length;
        }
      },
    },
    {
      name: 'protobufjs into garbage',
      run: () => {
        for (const message of messages) decodeWithProtobufjs(message);
      },
    },
  ]);
  if (rows !== 0) throw new Error(`the decoders differ by ${rows} samples`);
  const micros = (millis: number): string => ((millis * 1000) / messages.length).toFixed(0);
  console.log(`${name}: ${micros(own.millis)} us, protobufjs ${micros(generated.millis)} us`);
  console.log(`${name}: into garbage at once protobufjs takes ${micros(garbage.millis)} us`);
  reportRatio(name, generated.ratio, goal, true);
}

async function benchIngest(profiles: readonly FleetProfile[]): Promise<void> {
  const storage = await openStore({
    path: '/bench',
    files: new MemoryFiles(seededRandom(4)),
    clock: createClock(),
    random: seededRandom(3),
    logger: silentLogger,
    metrics: noMetrics,
  });
  const uploads = profiles.map(makeUpload);
  const services = { clock: createClock(), logger: silentLogger, metrics: noMetrics };
  await createIngester({ storage, ...services }).write(uploads);
  // All symbols are known now. Later batches are encoded for the log and then dropped.
  const ingester = createIngester({ storage: forgetful(storage), ...services });
  const pending: Promise<void>[] = [];
  const [gunzip, ingest] = measureInTurns([
    {
      name: 'gunzip',
      run: () => {
        for (const { profile } of uploads) openContent(profile);
      },
    },
    {
      name: 'ingest',
      run: () => {
        for (const upload of uploads) pending.push(ingester.write([upload]));
      },
    },
    {
      name: 'gunzip by default options',
      run: () => {
        for (const { profile } of uploads) gunzipSync(profile);
      },
    },
  ]);
  await Promise.all(pending);
  await storage.close();
  const micros = (millis: number): string => ((millis * 1000) / uploads.length).toFixed(0);
  console.log(`ingest: ${micros(ingest.millis)} us, its gunzip ${micros(gunzip.millis)} us`);
  reportRatio('ingest of warm symbolized profiles / gunzip', ingest.ratio, 2.2, false);
}

function cutIntoGroups<T>(size: number, items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

function makeUpload(profile: FleetProfile): ProfileUpload {
  return {
    labels: [...profile.labels, { name: '__name__', value: profile.name }],
    profile: profile.gzipped,
  };
}

/** Returns a store that encodes batches for the log but does not keep them. */
function forgetful(storage: Storage): Pick<Storage, 'appender'> {
  return {
    appender: (): Appender => {
      const appender = storage.appender();
      return {
        dictionary: appender.dictionary,
        append: (profile) => appender.append(profile),
        commit: () => Promise.resolve(),
      };
    },
  };
}
