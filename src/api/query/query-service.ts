// QueryService: turns requests into queries, and answers into messages.
import { parca } from '../../../proto/gen/query.js';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { querySliceMillis } from '../../base/limits.ts';
import { Pacer } from '../../base/pacer.ts';
import { areNamesPending } from '../../model/name-gaps.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type {
  AnswerSharing,
  LabelQuestion,
  QueryEngine,
  RangeAnswer,
  ReportQuestion,
} from '../../query/interface.ts';
import { sharedFileName, type Shares } from '../../shares/interface.ts';
import type { SourceAnswer, SourceReader } from '../../sources/interface.ts';
import { decodeRequest, toOptionalRange, type WireTime } from '../transport/call/message.ts';
import { inSlices } from '../transport/call/encode-slices.ts';
import type { CallContext, UnaryMethod } from '../transport/call/method.ts';
import { encodeRange } from './encode-range.ts';
import { toRangeQuestion, toReportQuestion } from './request.ts';

const messages = parca.query.v1alpha1;
const pprofReport = messages.QueryRequest.ReportType.REPORT_TYPE_PPROF;

type Handler = (bytes: Uint8Array, context: CallContext) => Promise<Uint8Array>;

/** Dependencies of the service. */
export interface QueryParts {
  readonly engine: QueryEngine;
  readonly answers: AnswerSharing;
  readonly sources: SourceReader;
  readonly clock: Clock;
  /** Undefined while sharing is off. */
  readonly sharing: Sharing | undefined;
}

/** Stored copies of reports, and their addresses. */
export interface Sharing {
  readonly shares: Shares;
  /** Address of this server, with the path prefix, as other people reach it. */
  readonly url: string;
}

export function queryMethods(parts: QueryParts): UnaryMethod[] {
  const { engine } = parts;
  const handlers: Readonly<Record<string, Handler>> = {
    ProfileTypes: (bytes, context) => profileTypes(engine, bytes, context),
    Labels: (bytes, context) => labels(parts, bytes, context),
    Values: (bytes, context) => values(parts, bytes, context),
    HasProfileData: (bytes) => hasProfileData(engine, bytes),
    QueryRange: (bytes, context) => queryRange(parts, bytes, context),
    Query: (bytes, context) => query(parts, bytes, context),
    Series: (bytes, context) => series(parts, bytes, context),
    ShareProfile: (bytes, context) => shareProfile(parts, bytes, context),
  };
  return Object.entries(handlers).map(([name, handle]) => ({
    path: `/parca.query.v1alpha1.QueryService/${name}`,
    kind: 'unary',
    handle,
  }));
}

async function profileTypes(
  engine: QueryEngine,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { start, end } = decodeRequest(messages.ProfileTypesRequest, bytes);
  const range = toOptionalRange(start, end);
  const types = await engine.profileTypes(range, context);
  if (types.length === 0) refuseIfMissing('list profile types', engine, range);
  return messages.ProfileTypesResponse.encode({ types: types.map(wireProfileType) }).finish();
}

/**
 * Refuses an empty answer while a server or a block cannot be read. Parca's messages for these
 * answers have no warnings, so the server would look empty.
 */
function refuseIfMissing(what: string, engine: QueryEngine, range: LabelQuestion['range']): void {
  const missing = engine.missingIn(range);
  if (missing.length > 0)
    throw new AppError('unavailable', `cannot ${what}: ${missing.join('; ')}`);
}

function wireProfileType(type: ProfileType): parca.query.v1alpha1.ProfileType.$Properties {
  return {
    name: type.name,
    sampleType: type.sample.type,
    sampleUnit: type.sample.unit,
    periodType: type.period.type,
    periodUnit: type.period.unit,
    delta: type.delta,
  };
}

async function labels(
  { engine, clock }: QueryParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.LabelsRequest, bytes);
  const question = toLabelQuestion(request);
  const labelNames = await engine.labelNames(question, context);
  const warnings = [...engine.missingIn(question.range)];
  return inSlices(labelNames, clock, context, (some, isLast) =>
    messages.LabelsResponse.encode({
      labelNames: some,
      warnings: isLast ? warnings : [],
    }).finish(),
  );
}

async function values(
  { engine, clock }: QueryParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.ValuesRequest, bytes);
  if (request.labelName === '') {
    throw new AppError('invalid-argument', 'label_name: cannot be blank.');
  }
  const question = toLabelQuestion(request);
  const labelValues = await engine.labelValues(request.labelName, question, context);
  const warnings = [...engine.missingIn(question.range)];
  return inSlices(labelValues, clock, context, (some, isLast) =>
    messages.ValuesResponse.encode({
      labelValues: some,
      warnings: isLast ? warnings : [],
    }).finish(),
  );
}

function toLabelQuestion(request: {
  readonly match: string[];
  readonly profileType: string | null;
  readonly start: WireTime | null;
  readonly end: WireTime | null;
}): LabelQuestion {
  return {
    match: request.match,
    profileType: request.profileType ?? '',
    range: toOptionalRange(request.start, request.end),
  };
}

async function series(
  { engine, clock }: QueryParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { match, start, end } = decodeRequest(messages.SeriesRequest, bytes);
  const question = { match, profileType: '', range: toOptionalRange(start, end) };
  const { labelSets, missing } = await engine.labelSets(question, context);
  return inSlices(labelSets, clock, context, (some, isLast) =>
    messages.SeriesResponse.encode({
      series: some.map((labels) => ({
        labels: labels.map(({ name, value }) => ({ name, value })),
      })),
      warnings: isLast ? [...missing] : [],
    }).finish(),
  );
}

async function hasProfileData(engine: QueryEngine, bytes: Uint8Array): Promise<Uint8Array> {
  decodeRequest(messages.HasProfileDataRequest, bytes);
  const hasData = await engine.hasProfileData();
  if (!hasData) refuseIfMissing('look for profiles', engine, undefined);
  return messages.HasProfileDataResponse.encode({ hasData }).finish();
}

async function queryRange(
  { engine, answers, clock }: QueryParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const question = toRangeQuestion(decodeRequest(messages.QueryRangeRequest, bytes));
  return answers.once({ range: question }, context, async (caller) => {
    const answer = await engine.queryRange(question, caller);
    const encoded = await encodeRange(answer, new Pacer(clock, querySliceMillis));
    return { bytes: encoded, isWhole: isWhole(answer) };
  });
}

async function query(
  parts: QueryParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.QueryRequest, bytes);
  const question = toReportQuestion(request);
  if (question.source === undefined) return report(parts, question, context);
  const { buildId, fileName } = question.source;
  const { signal, caller } = context;
  const text = await parts.sources.readSource(buildId, fileName, signal, caller);
  if (request.sourceReference?.sourceOnly === true) return sourceOnly(text);
  return withSource(await report(parts, question, context), text);
}

/** Parca's UI calls this to find out if there is a source, and ignores the content. */
function sourceOnly({ text, reason }: SourceAnswer): Uint8Array {
  if (text === undefined) throw new AppError('not-found', reason);
  return messages.QueryResponse.encode({ source: { source: text } }).finish();
}

/** Adds the content of the file to a report by line. */
function withSource(answer: Uint8Array, { text = '', reason = '' }: SourceAnswer): Uint8Array {
  const response = messages.QueryResponse.decode(answer);
  if (response.source) {
    response.source.source = text;
    response.source.whyEmpty = reason;
  }
  return messages.QueryResponse.encode(response).finish();
}

/** Stores the selected profile as pprof. The requested report kind is ignored, as in Parca. */
async function shareProfile(
  { engine, sharing }: QueryParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { queryRequest, description } = decodeRequest(messages.ShareProfileRequest, bytes);
  if (queryRequest === null)
    throw new AppError('invalid-argument', 'query_request: cannot be blank.');
  const { shares, url } = sharing ?? sharingIsOff();
  queryRequest.reportType = pprofReport;
  const question = toReportQuestion(queryRequest);
  const answer = await engine.encodedReport(question, 'pprof', context);
  if (answer.profileCount === 0) {
    throw new AppError('not-found', 'cannot share profile: no profile matches in this range');
  }
  const { id } = await shares.add(answer.bytes, description ?? '');
  const link = `${url}/api/v1/shares/${id}/${sharedFileName}`;
  return messages.ShareProfileResponse.encode({ link }).finish();
}

/** Refuses to share: throws AppError 'failed-precondition'. */
export function sharingIsOff(): never {
  throw new AppError(
    'failed-precondition',
    'cannot share profiles: sharing is off; start the server with --share-url',
  );
}

function report(
  { engine, answers }: QueryParts,
  question: ReportQuestion,
  context: CallContext,
): Promise<Uint8Array> {
  return answers.once({ report: question }, context, async (caller) => {
    const encoded = await engine.encodedReport(question, 'message', caller);
    return { bytes: encoded.bytes, isWhole: isWhole(encoded) };
  });
}

function isWhole({ missing, nameGaps }: Pick<RangeAnswer, 'missing' | 'nameGaps'>): boolean {
  return missing.length === 0 && !areNamesPending(nameGaps);
}
