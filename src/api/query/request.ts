// Converts requests of QueryService to requests to the engine, with Parca's checks.
import { parca } from '../../../proto/gen/query.js';
import { AppError } from '../../base/errors.ts';
import { createNameMatcher, type NameSearchMode } from '../../model/pattern.ts';
import type { ProfileSelector, RangeQuestion, ReportQuestion } from '../../query/interface.ts';
import type { SourceFile } from '../../report/source-lines.ts';
import type { TimeRange } from '../../storage/interface.ts';
import { toNanos, type WireTime } from '../transport/call/message.ts';
import { findReportKind } from './report-encodings.ts';
import { toStackView } from './request-view.ts';

type QueryRequest = parca.query.v1alpha1.QueryRequest;
type DiffSelection = parca.query.v1alpha1.ProfileDiffSelection;
type MergeProfile = parca.query.v1alpha1.MergeProfile;
type SingleProfile = parca.query.v1alpha1.SingleProfile;
type QueryRangeRequest = parca.query.v1alpha1.QueryRangeRequest;

const { Mode, ReportType } = parca.query.v1alpha1.QueryRequest;
const { Mode: SearchMode } = parca.query.v1alpha1.NameSearch;
const { Mode: DiffMode } = parca.query.v1alpha1.ProfileDiffSelection;

const searchModes: ReadonlyMap<number, NameSearchMode> = new Map([
  [SearchMode.MODE_TEXT_UNSPECIFIED, 'text'],
  [SearchMode.MODE_REGEX, 'regex'],
  [SearchMode.MODE_CASE, 'case'],
]);

const groupByFields: ReadonlySet<string> = new Set([
  'function_name',
  'function_file_name',
  'location_address',
  'mapping_file',
  'timestamp',
]);

/** Converts a request. Errors: AppError 'invalid-argument' that names the field. */
export function toRangeQuestion(request: QueryRangeRequest): RangeQuestion {
  const range = requireRange(request.start, request.end, request.query);
  const stepNanos = request.step ? toNanos(request.step) : 0n;
  // A step of 0 is allowed, because Grafana's data source does not send a step.
  if (stepNanos < 0n) throw invalid('step: must not be negative.');
  const { query, sumBy, limit, averages, byFirstLabel } = request;
  const question = { query, range, stepNanos, sumBy, limit, averages };
  return byFirstLabel ? { ...question, isByFirstLabel: true } : question;
}

/** Converts a request. Errors: AppError 'invalid-argument' that names the field. */
export function toReportQuestion(request: QueryRequest): ReportQuestion {
  const report = reportKind(request);
  return {
    select: selector(request),
    report,
    ...(report === 'source' ? { source: sourceFile(request) } : {}),
    nodeTrimFraction: fraction(request.nodeTrimThreshold, 'node_trim_threshold'),
    rootTrimFraction: fraction(request.rootTrimThreshold, 'root_trim_threshold'),
    groupBy: groupBy(request),
    view: toStackView(request),
    zoomPath: request.zoomPath,
    ...topLimit(request),
    ...topRecord(request),
    ...search(request),
  };
}

function topLimit({ topLimit: asked }: QueryRequest): Pick<ReportQuestion, 'topLimit'> {
  if (!asked?.count) return {};
  const by = asked.cumulative ? 'cumulative' : 'flat';
  return { topLimit: { count: asked.count, by } };
}

function topRecord({ topRecord: isAsked }: QueryRequest): Pick<ReportQuestion, 'isRecord'> {
  return isAsked === true ? { isRecord: true } : {};
}

function search({ search: asked }: QueryRequest): Pick<ReportQuestion, 'search'> {
  if (!asked?.text) return {};
  const mode = searchModes.get(asked.mode ?? SearchMode.MODE_TEXT_UNSPECIFIED);
  if (mode === undefined) throw invalid(`unknown mode ${asked.mode} of search`);
  const names = { text: asked.text, mode };
  // An invalid pattern is refused here, before any data is read.
  createNameMatcher(names);
  return { search: names };
}

function selector({ mode, options, diff, merge, single }: QueryRequest): ReportQuestion['select'] {
  if (options === undefined) throw invalid('options: cannot be blank.');
  if (mode === Mode.MODE_DIFF && diff) {
    requireFields({ a: diff.a, b: diff.b });
    return {
      mode: 'diff',
      base: side(diff.a),
      compared: side(diff.b),
      baseScale: diff.absolute === true ? 'none' : 'total',
    };
  }
  if (mode === Mode.MODE_MERGE && merge) return mergeSelector(merge);
  if (mode === Mode.MODE_SINGLE_UNSPECIFIED && single) return singleSelector(single);
  throw invalid(mode in Mode ? 'invalid option for mode' : `unknown mode ${mode}`);
}

function side(selection: DiffSelection | null): ProfileSelector {
  if (selection?.mode === DiffMode.MODE_MERGE && selection.merge) {
    return mergeSelector(selection.merge);
  }
  if (selection?.mode === DiffMode.MODE_SINGLE_UNSPECIFIED && selection.single) {
    return singleSelector(selection.single);
  }
  throw invalid('invalid option for mode of a diff selection');
}

function mergeSelector({ query, start, end }: MergeProfile): ProfileSelector {
  return { mode: 'merge', query, range: requireRange(start, end, query) };
}

function singleSelector({ query, time }: SingleProfile): ProfileSelector {
  requireFields({ query, time });
  return { mode: 'single', query, timeNanos: time ? toNanos(time) : 0n };
}

function reportKind({ reportType }: QueryRequest): ReportQuestion['report'] {
  const kind = findReportKind(reportType);
  if (kind === undefined) throw invalid(`requested report type ${reportType} does not exist`);
  return kind;
}

function sourceFile({ sourceReference }: QueryRequest): SourceFile {
  if (!sourceReference) throw invalid('source_reference: cannot be blank.');
  const { buildId, filename } = sourceReference;
  return { buildId, fileName: filename };
}

function groupBy(request: QueryRequest): readonly string[] {
  const fields = request.groupBy?.fields ?? [];
  for (const field of fields) {
    const isLabel = field.startsWith('labels.') && field.length > 'labels.'.length;
    if (!isLabel && !groupByFields.has(field)) throw invalid(`invalid group by field: ${field}`);
  }
  return request.reportType === ReportType.REPORT_TYPE_FLAMECHART
    ? [...fields, 'timestamp']
    : fields;
}

/** Converts percent to a fraction; an unset value becomes 0. */
function fraction(percent: number | null, name: string): number {
  const value = percent ?? 0;
  if (!(value >= 0 && value <= 100)) throw invalid(`${name}: must be between 0 and 100.`);
  return value / 100;
}

function requireRange(start: WireTime | null, end: WireTime | null, query: string): TimeRange {
  requireFields({ end, query, start });
  const range = { from: start ? toNanos(start) : 0n, to: end ? toNanos(end) : 0n };
  if (range.from > range.to) throw invalid('start timestamp must be before end');
  return range;
}

function requireFields(fields: Readonly<Record<string, unknown>>): void {
  const blank = Object.keys(fields).filter((name) => !fields[name]);
  if (blank.length === 0) return;
  throw invalid(`${blank.map((name) => `${name}: cannot be blank`).join('; ')}.`);
}

function invalid(message: string): AppError {
  return new AppError('invalid-argument', message);
}
