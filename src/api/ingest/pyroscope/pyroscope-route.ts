// POST /ingest, for Pyroscope's older clients, which include the current SDKs for Go and Node.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { finishPausing, Pacer } from '../../../base/pacer.ts';
import { parseJsonBytes } from '../../../base/text/json.ts';
import type {
  FileImport,
  ImportedFile,
  ImportInThread,
} from '../../../formats/import/import-file.ts';
import type { ImportFormat } from '../../../formats/import/import-profile.ts';
import { plainCounts } from '../../../formats/reading/imported-profile.ts';
import { isJfr } from '../../../formats/jfr/chunks.ts';
import { unpackInPool } from '../../../formats/unpack.ts';
import { formatSkipped } from '../../../formats/reading/skipped-lines.ts';
import type { ProfileUpload } from '../../../ingest/interface.ts';
import { type Label, profileNameLabel } from '../../../model/labels.ts';
import type { ValueType } from '../../../model/profile-type.ts';
import type { TransportContext } from '../../transport/call/call.ts';
import type { PushStore } from '../profile-pushes.ts';
import { splitChanges } from '../deltas.ts';
import { readPprofFacts } from '../pprof-facts.ts';
import { readForm } from './form.ts';
import { importPushed } from '../import-pushed.ts';
import { isPrivateLabel, queryableLabels } from '../labels.ts';
import {
  parseAppName,
  readAppCounts,
  readPyroscopeTime,
  readSampleRate,
} from './pyroscope-name.ts';
import { servePush } from '../serve-push.ts';

/**
 * Adds the paths below the prefix. `pushes` throws AppError 'unavailable' while the server starts.
 */
export function addPyroscopeRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  pushes: () => PushStore,
  importInThread: ImportInThread,
): void {
  for (const path of ['/ingest', '/pyroscope/ingest']) {
    app.post(path, (request, reply) =>
      servePush(
        transport,
        'Ingest',
        request,
        reply,
        async ({ body, contentType, context }) => {
          const { clock } = transport.runner;
          const facts = readIngestFacts(request.url, clock.nowMillis());
          let note = '';
          const read = async (file: FileImport): Promise<ImportedFile> => {
            const found = await importPushed(file, contentType, importInThread, transport, context);
            note = formatSkipped(found) ?? note;
            return found;
          };
          const uploads = await toUploads({ body, contentType, facts, clock }, read);
          await pushes().store(uploads, context);
          return note;
        },
        (note) => (note === '' ? reply.code(200).send() : reply.send({ note })),
      ),
    );
  }
}

/** Label for the sender's `spyName`, as in Pyroscope. */
const profilerLabel = 'pyroscope_spy';

/** Facts about a push from its query string. */
interface IngestFacts {
  readonly app: string;
  readonly labels: readonly Label[];
  readonly format: string;
  readonly sampleRate: number;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

function readIngestFacts(url: string, nowMillis: number): IngestFacts {
  const parameters = new URL(url, 'http://localhost').searchParams;
  const name = parameters.get('name');
  if (name === null) throw new AppError('invalid-argument', 'name: cannot be blank.');
  const { app, labels } = parseAppName(name);
  const own = labels.filter((label) => !isPrivateLabel(label.name));
  const profiler = parameters.get('spyName') ?? '';
  if (profiler !== '' && !own.some((label) => label.name === profilerLabel)) {
    own.push({ name: profilerLabel, value: profiler });
  }
  const until = readPyroscopeTime('until', parameters.get('until') ?? 'now', nowMillis);
  const from = readPyroscopeTime('from', parameters.get('from') ?? 'now', nowMillis);
  return {
    app,
    labels: own,
    format: parameters.get('format') ?? '',
    sampleRate: readSampleRate(parameters.get('sampleRate')),
    timeNanos: from,
    durationNanos: until > from ? until - from : 0n,
  };
}

/** A push, and the clock by which long reads are interrupted by pauses. */
interface Ingest {
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly facts: IngestFacts;
  readonly clock: Clock;
}

async function toUploads(
  { body, contentType, facts, clock }: Ingest,
  read: (file: FileImport) => Promise<ImportedFile>,
): Promise<ProfileUpload[]> {
  const isMultipart = contentType.startsWith('multipart/form-data');
  if (facts.format === 'jfr') return jfrUploads({ body, contentType, facts, clock }, read);
  if (isMultipart) return multipartUploads({ body, contentType, facts, clock }, read);
  if (facts.format === 'pprof') return pprofUploads(body, undefined, facts, clock);
  const format = formats.get(facts.format) ?? formatOfType(contentType);
  const { service, counts } = readAppCounts(facts.app, facts.sampleRate);
  const { timeNanos, durationNanos } = facts;
  const context = { timeNanos, durationNanos, counts };
  const { profiles } = await read({ content: body, context, format });
  return profiles.map(({ name, labels, pprof }) => ({
    labels: seriesLabels(name, service, [...labels, ...facts.labels]),
    profile: pprof,
  }));
}

/** Returns the format for a content type. The first agents declared the format in this way. */
function formatOfType(contentType: string): ImportFormat {
  if (contentType.includes('octet-stream+trie')) return 'trie';
  return contentType.includes('octet-stream+tree') ? 'tree' : 'collapsed';
}

const formats: ReadonlyMap<string, ImportFormat> = new Map([
  ['lines', 'lines'],
  ['trie', 'trie'],
  ['tree', 'tree'],
  ['speedscope', 'speedscope'],
]);

/**
 * Sample types that count since the start of a Go program, if the sender does not name such types.
 */
const usualCounters = ['alloc_objects', 'alloc_space'];
const usualStates = ['inuse_objects', 'inuse_space'];

/** Reads a form with the parts `profile`, `sample_type_config` and `prev_profile`. */
async function multipartUploads(
  { body, contentType, facts, clock }: Ingest,
  read: (file: FileImport) => Promise<ImportedFile>,
): Promise<ProfileUpload[]> {
  const form = await finishPausing(readForm(body, contentType), new Pacer(clock));
  if (form.has('jfr')) {
    throw new AppError('invalid-argument', 'jfr: the form needs the parameter format=jfr');
  }
  const profile = form.get('profile')?.[0];
  if (profile === undefined)
    throw new AppError('invalid-argument', 'profile: the form has no such part');
  const sent = form.get('sample_type_config')?.[0];
  const config = sent && readConfig(sent);
  const content = await unpackInPool(profile, { what: 'cannot read profile' });
  const earlier = form.get('prev_profile')?.[0];
  if (earlier === undefined || earlier.length === 0) {
    return pprofUploads(content, config, facts, clock);
  }
  const counters = config?.counters ?? usualCounters;
  const { timeNanos, durationNanos } = facts;
  const { profiles } = await read({
    content,
    context: {
      timeNanos,
      durationNanos,
      counts: plainCounts,
      // The name is determined when the profile is stored.
      name: 'profile',
      earlier: {
        content: await unpackInPool(earlier, { what: 'cannot read prev_profile' }),
        counters,
      },
    },
    format: 'pprof',
  });
  const changes = new Map([
    ...(config?.changes ?? usualStates.map((name): [string, boolean] => [name, false])),
    ...counters.map((name): [string, boolean] => [name, true]),
  ]);
  const changed = { changes, name: config?.name, counters };
  return pprofUploads(profiles[0].pprof, changed, facts, clock);
}

/** Reads a recording: the body, or the parts `jfr` and `labels` of a form. */
async function jfrUploads(
  { body, contentType, facts, clock }: Ingest,
  read: (file: FileImport) => Promise<ImportedFile>,
): Promise<ProfileUpload[]> {
  const { app, sampleRate, timeNanos, durationNanos } = facts;
  const form = contentType.startsWith('multipart/form-data')
    ? await finishPausing(readForm(body, contentType), new Pacer(clock))
    : new Map([['jfr', [body]]]);
  const [jfr, labels] = [form.get('jfr')?.[0], form.get('labels')?.[0]];
  if (jfr === undefined) throw new AppError('invalid-argument', 'jfr: the form has no such part');
  const content = await unpackInPool(jfr, { what: 'cannot read JFR' });
  if (!isJfr(content)) throw new AppError('invalid-argument', 'jfr: it does not begin with FLR');
  const jfrLabels = labels && (await unpackInPool(labels, { what: 'cannot read labels of JFR' }));
  const period = BigInt(Math.round(1e9 / sampleRate));
  const { profiles } = await read({
    content,
    context: {
      timeNanos,
      durationNanos,
      counts: { ...plainCounts, period, parameter: 'rate' },
      jfrLabels,
      // A recording is empty if the application did nothing since its last push.
      mayBeEmpty: true,
    },
    format: 'jfr',
  });
  return profiles.map((profile) => ({
    labels: seriesLabels(profile.name, app, [...profile.labels, ...facts.labels]),
    profile: profile.pprof,
  }));
}

/** Facts about the sample types of a profile, from the part `sample_type_config` of the form. */
interface TypeConfig {
  /** Names of sample types; true for types whose values are changes. */
  readonly changes: ReadonlyMap<string, boolean>;
  /** Names of the sample types that are counters since the start of the program. */
  readonly counters: readonly string[];
  /** Name of the profile; undefined if its types determine it. */
  readonly name: string | undefined;
}

function readConfig(bytes: Uint8Array): TypeConfig {
  const config = parseJsonBytes(bytes, 'sample_type_config');
  const changes = new Map<string, boolean>();
  const counters: string[] = [];
  let name: string | undefined;
  for (const [type, facts] of Object.entries(config ?? {})) {
    const isObject = typeof facts === 'object' && facts !== null;
    const isCumulative = isObject && 'cumulative' in facts && facts.cumulative === true;
    const isState = isObject && 'aggregation' in facts && facts.aggregation === 'average';
    changes.set(type, !isCumulative && !isState);
    if (isCumulative) counters.push(type);
    // Go's mutex and block profiles have the same types.
    const shown = isObject && 'display-name' in facts ? String(facts['display-name']) : '';
    name ??= /^(mutex|block)_/.exec(shown)?.[1];
  }
  return { changes, counters, name };
}

/**
 * Returns the uploads of a pprof file. Without a configuration, the meaning of its types is
 * unknown, and it is stored unchanged.
 */
async function pprofUploads(
  content: Uint8Array,
  config: TypeConfig | undefined,
  { app, labels, timeNanos, durationNanos }: IngestFacts,
  clock: Clock,
): Promise<ProfileUpload[]> {
  const { head, name } = await readPprofFacts(content, clock, config?.name);
  const all = seriesLabels(name, app, labels);
  const isChange = ({ type }: ValueType): boolean => config?.changes.get(type) ?? true;
  const length = config === undefined ? 0n : durationNanos;
  const times = { isChange, timeNanos, durationNanos: length };
  return splitChanges(content, head, times).map((upload) => ({
    ...upload,
    labels: all,
  }));
}

function seriesLabels(name: string, app: string, labels: readonly Label[]): Label[] {
  const hasService = labels.some((label) => label.name === 'service_name');
  return queryableLabels([
    { name: profileNameLabel, value: name },
    { name: hasService ? 'app_name' : 'service_name', value: app },
    ...labels,
  ]);
}
