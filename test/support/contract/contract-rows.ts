// One valid and one invalid call for every method, for test/integration/contract.test.ts.
import { encodeRecord } from '../../../src/formats/parca-arrow/encode-record.ts';
import {
  encodeLocations,
  encodeSamples,
} from '../../../src/formats/parca-arrow/testing/version-1.ts';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { makeElf, makeNote, makeSymbols } from '../../../src/symbolize/testing/make-elf.ts';

/** A message as protobufjs takes it, or bytes that are not a message. */
export type Message = Readonly<Record<string, unknown>> | Uint8Array;

/** A refusal: the name of its status and a part of its message. */
export interface Refusal {
  readonly request: Message;
  readonly code: StatusName;
  readonly message: RegExp;
}

/** A method: a call that it answers, and a call that it refuses. */
export interface Row {
  /**
   * Makes the valid request; `i` is the number of the transport, because each transport must send
   * something new.
   */
  readonly good: (i: number) => Message | Promise<Message>;
  /** Matches the answer as JSON. */
  readonly answer: RegExp;
  readonly bad: Refusal;
  /** True for a method that refuses every call with the error of `bad`. */
  readonly isAbsent?: true;
  /** Path of the JSON gateway; methods without one are called at their own path. */
  readonly http?: { readonly verb: 'GET' | 'POST'; readonly path: string };
  /** Makes further messages of a stream. */
  readonly more?: (i: number) => readonly Message[];
}

/** Statuses as each protocol writes them. */
export const statuses = {
  invalidArgument: { grpc: 3, http: 400, connect: 'invalid_argument', text: 'INVALID_ARGUMENT' },
  notFound: { grpc: 5, http: 404, connect: 'not_found', text: 'NOT_FOUND' },
  unimplemented: { grpc: 12, http: 501, connect: 'unimplemented', text: 'UNIMPLEMENTED' },
  failedPrecondition: {
    grpc: 9,
    http: 400,
    connect: 'failed_precondition',
    text: 'FAILED_PRECONDITION',
  },
} as const;
/** Id of a block on the server. */
export const contractBlock = 'contract-block';
export type StatusName = keyof typeof statuses;

export const from = 1_790_000_000;
const seconds = (at: number) => ({ seconds: at, nanos: 0 });
const range = { start: seconds(from - 60), end: seconds(from + 60) };
const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const query = `${type}{job="contract"}`;
const cpu = { type: 'cpu', unit: 'nanoseconds' };
/** A message whose field 1 declares seven bytes but has one. */
const broken = Uint8Array.of(0x0a, 7, 1);
/** Returns the refusal of bytes that are not a message. */
export const undecodable = (name: string): Refusal => ({
  request: broken,
  code: 'invalidArgument',
  message: new RegExp(
    `^cannot decode ${name}: index out of range|^cannot parse request|^timeout: must be longer than 0`,
  ),
});

function profile(): Uint8Array {
  const writer = new PprofWriter();
  writer.sample([writer.frame({ name: 'main', file: 'main.go', line: 3 })], [7n]);
  const timeNanos = BigInt(from) * 1_000_000_000n;
  const head = { sampleTypes: [cpu], periodType: cpu, period: 1n, timeNanos };
  return Uint8Array.from(writer.finish({ ...head, durationNanos: 1_000_000_000n }));
}

const label = (name: string, value: string) => ({ name, value });
const writeRaw = (...labels: ReturnType<typeof label>[]) => ({
  series: [{ labels: { labels }, samples: [{ rawProfile: profile() }] }],
});

const frame = {
  mappingFile: 'a.js',
  buildId: '',
  address: 0n,
  lines: [{ fileName: 'a.js', startLine: 1, line: 2, column: 0, systemName: 'main' }],
};
const timeNanos = BigInt(from) * 1_000_000_000n;
const record = encodeRecord(
  [
    {
      name: 'parca_agent',
      sampleType: { type: 'samples', unit: 'count' },
      periodType: cpu,
      period: 1n,
      durationNanos: 1_000_000_000n,
      timeNanos,
      samples: [{ labels: [label('job', 'contract')], frames: [frame], value: 1n }],
    },
  ],
  undefined,
);
const samples = encodeSamples([{ id: 'a', labels: { job: 'contract' }, value: 1n }], timeNanos);
const locations = encodeLocations([['a', [frame]]]);

/** Returns a build id and a file for one transport. */
export function binary(i: number): { readonly buildId: string; readonly content: Uint8Array } {
  const buildId = `${i}0112233445566778899aabbccddeeff00112233`.slice(0, 40);
  const note = makeNote('GNU', 3, Uint8Array.from(Buffer.from(buildId, 'hex')));
  const content = makeElf([
    { name: '.note.gnu.build-id', type: 7, content: note },
    ...makeSymbols('.symtab', 2, [{ name: 'main', address: 0x1000, size: 0x80 }]),
  ]);
  return { buildId, content };
}

const offer = (i: number) => ({ buildId: binary(i).buildId, hash: 'h', buildIdType: 1 });

/** Starts an upload, and sends it if `isSent`; returns its ticket. */
export type Begin = (i: number, isSent: boolean) => Promise<Readonly<Record<string, unknown>>>;

const pq = '/parca.query.v1alpha1.QueryService';
const ps = '/parca.profilestore.v1alpha1';
const di = '/parca.debuginfo.v1alpha1.DebuginfoService';
const merge = { mode: 'MODE_MERGE', merge: { query, ...range }, reportType: 'REPORT_TYPE_TOP' };
const get = (path: string) => ({ verb: 'GET', path }) as const;
const post = (path: string) => ({ verb: 'POST', path }) as const;
const reflection: Row = {
  good: () => ({ listServices: '' }),
  answer: /"parca\.query\.v1alpha1\.QueryService"/,
  bad: undecodable('ServerReflectionRequest'),
};

/** Returns the methods of DebuginfoService; two calls must come before an upload. */
function debuginfoRows(begin: Begin): Readonly<Record<string, Row>> {
  return {
    [`${di}/ShouldInitiateUpload`]: {
      good: (i) => offer(i),
      answer: /^\{"shouldInitiateUpload":true,"reason":"/,
      bad: { request: { buildId: '' }, code: 'invalidArgument', message: /build_?id/i },
      http: post('/api/shouldinitiateupload'),
    },
    [`${di}/InitiateUpload`]: {
      good: (i) => ({ ...offer(10 + i), size: 100 }),
      answer: /"uploadStrategy":"UPLOAD_STRATEGY_GRPC"/,
      bad: { request: offer(10), code: 'invalidArgument', message: /size/ },
      http: post('/api/initiateupload'),
    },
    [`${di}/Upload`]: {
      good: async (i) => ({ info: await begin(20 + i, false) }),
      more: (i) => [{ chunkData: binary(20 + i).content }],
      answer: /^\{"buildId":"2\d0112/,
      bad: {
        request: { chunkData: Uint8Array.of(1) },
        code: 'invalidArgument',
        message: /^cannot take upload: its first message must be info$/,
      },
    },
    [`${di}/MarkUploadFinished`]: {
      good: (i) => begin(30 + i, true),
      answer: /^\{\}$/,
      bad: {
        request: { buildId: binary(9).buildId, uploadId: 'none' },
        code: 'notFound',
        message: /upload/,
      },
      http: post('/api/markuploadfinished'),
    },
  };
}

const otherRows: Readonly<Record<string, Row>> = {
  '/grpc.health.v1.Health/Check': {
    good: () => ({ service: 'parca.query.v1alpha1.QueryService' }),
    answer: /^\{"status":"SERVING"\}$/,
    bad: { request: { service: 'a.B' }, code: 'notFound', message: /^unknown service$/ },
  },
  '/grpc.health.v1.Health/Watch': {
    good: () => ({}),
    answer: /^\{"status":"SERVING"\}$/,
    bad: undecodable('HealthCheckRequest'),
  },
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo': reflection,
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo': reflection,
  '/opentelemetry.proto.collector.logs.v1.LogsService/Export': {
    good: () => ({}),
    answer: /^\{("partialSuccess":null)?\}$/,
    bad: {
      request: broken,
      code: 'invalidArgument',
      message: /^cannot decode ExportLogsServiceRequest: |^cannot parse request/,
    },
  },
  '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export': {
    good: () => ({ dictionary: { stringTable: [''] }, resourceProfiles: [] }),
    answer: /^\{("partialSuccess":null)?\}$/,
    bad: {
      request: broken,
      code: 'invalidArgument',
      message: /^cannot decode ExportProfilesServiceRequest: |^cannot parse request/,
    },
  },
  [`${ps}.ProfileStoreService/WriteRaw`]: {
    good: () => writeRaw(label('__name__', 'process_cpu'), label('job', 'contract')),
    answer: /^\{\}$/,
    bad: {
      request: writeRaw(label('job', 'contract')),
      code: 'invalidArgument',
      message: /^missing __name__ label$/,
    },
    http: post('/api/profiles/writeraw'),
  },
  [`${ps}.ProfileStoreService/WriteArrow`]: {
    good: () => ({ ipcBuffer: record }),
    answer: /^\{\}$/,
    bad: {
      request: { ipcBuffer: Uint8Array.of(1, 2) },
      code: 'invalidArgument',
      message: /^cannot read Arrow stream: /,
    },
    http: post('/api/profiles/writearrow'),
  },
  [`${ps}.ProfileStoreService/Write`]: {
    good: () => ({ record: samples }),
    more: () => [{ record: locations }],
    answer: /^\{"record":"/,
    bad: {
      request: { record: locations },
      code: 'invalidArgument',
      message: /^missing column "value"$/,
    },
  },
  [`${ps}.AgentsService/Agents`]: {
    good: () => ({}),
    answer: /"agents":\[\{"id":"/,
    bad: undecodable('AgentsRequest'),
    http: get('/api/agents'),
  },
  [`${pq}/QueryRange`]: {
    good: () => ({ query, ...range, step: seconds(60) }),
    answer: /"value":"7"/,
    bad: {
      request: { query },
      code: 'invalidArgument',
      message: /^end: cannot be blank; start: cannot be blank\.$/,
    },
    http: get('/api/profiles/query_range'),
  },
  [`${pq}/Query`]: {
    good: () => merge,
    answer: /"total":"7"/,
    bad: {
      request: { ...merge, mode: 'MODE_DIFF' },
      code: 'invalidArgument',
      message: /^invalid option for mode$/,
    },
    http: get('/api/profiles/query'),
  },
  [`${pq}/Series`]: {
    good: () => ({ match: [query], ...range }),
    answer: /"name":"job","value":"contract"/,
    bad: { request: { match: ['{'] }, code: 'invalidArgument', message: /expected a label name/ },
    http: get('/api/profiles/series'),
  },
  [`${pq}/ProfileTypes`]: {
    good: () => range,
    answer: /"name":"process_cpu","sampleType":"cpu"/,
    bad: {
      request: { start: seconds(from), end: seconds(from - 1) },
      code: 'invalidArgument',
      message: /start timestamp must be before end/,
    },
    http: get('/api/profiles/types'),
  },
  [`${pq}/Labels`]: {
    good: () => ({ match: [query], ...range }),
    answer: /"labelNames":\["job"\]/,
    bad: { request: { match: ['{'] }, code: 'invalidArgument', message: /expected a label name/ },
    http: get('/api/profiles/labels'),
  },
  [`${pq}/Values`]: {
    good: () => ({ labelName: 'job', match: [query], ...range }),
    answer: /"labelValues":\["contract"\]/,
    bad: {
      request: { labelName: 'job', match: ['{'] },
      code: 'invalidArgument',
      message: /expected a label name/,
    },
    http: get('/api/profiles/labels/job/values'),
  },
  [`${pq}/HasProfileData`]: {
    good: () => ({}),
    answer: /"hasData":true/,
    bad: undecodable('HasProfileDataRequest'),
    http: get('/api/profiles/has_profile_data'),
  },
  [`${pq}/ShareProfile`]: {
    good: () => ({ queryRequest: merge, description: 'contract' }),
    answer: /"link":"http:\/\/shared\.test\/api\/v1\/shares\/[0-9a-f]{32}\//,
    bad: { request: {}, code: 'invalidArgument', message: /^query_request: cannot be blank\.$/ },
    http: post('/api/profiles/share'),
  },
  '/parca.scrape.v1alpha1.ScrapeService/Targets': {
    good: () => ({}),
    answer: /^\{("targets":\{\})?\}$/,
    bad: undecodable('TargetsRequest'),
    http: get('/api/targets'),
  },
  '/parts.v1.PartsService/Look': {
    good: () => ({}),
    answer: /"instance":"[^"]+".*"hasBlocks":true.*"isWhole":true/,
    bad: undecodable('LookRequest'),
  },
  '/parts.v1.PartsService/ReadBlock': {
    good: () => ({ id: contractBlock, length: 4 }),
    answer: /^\{"content":"[A-Za-z0-9+/]{6}=="\}$/,
    bad: {
      request: { id: 'none', length: 1 },
      code: 'notFound',
      message: /^cannot read block none: it is gone$/,
    },
  },
  '/parts.v1.PartsService/ReadDebuginfo': {
    good: () => ({ buildId: 'ffffffff' }),
    answer: /^\{("file":"","fileBytes":"0","content":"")?\}$/,
    bad: undecodable('ReadDebuginfoRequest'),
  },
  '/parca.telemetry.v1alpha1.TelemetryService/ReportPanic': {
    good: () => ({ stderr: 'panic: x' }),
    answer: /^\{\}$/,
    bad: undecodable('ReportPanicRequest'),
    http: post('/api/telemetry/panic'),
  },
  '/push.v1.PusherService/Push': {
    good: () => ({
      series: [
        {
          labels: [label('__name__', 'process_cpu'), label('service_name', 'contract')],
          samples: [{ rawProfile: profile() }],
        },
      ],
    }),
    answer: /^\{\}$/,
    bad: {
      request: { series: [{ labels: [], samples: [{ rawProfile: Uint8Array.of(7) }] }] },
      code: 'invalidArgument',
      message: /failed to parse profile/,
    },
  },
};

/** Returns all methods by path. */
export function contractRows(begin: Begin): Readonly<Record<string, Row>> {
  return { ...debuginfoRows(begin), ...otherRows };
}
