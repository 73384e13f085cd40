// Runs the queries of scripts in the query engine, and formats answers as rows of text.
import { PprofColumns } from '../../src/formats/pprof/columns.ts';
import { decodePprof } from '../../src/formats/pprof/decode.ts';
import { encodePprof } from '../../src/formats/pprof/encode.ts';
import { profileText, validateProfile } from '../../src/formats/pprof/validate.ts';
import type { Label, LabelSet } from '../../src/model/labels.ts';
import type { NameSearchMode } from '../../src/model/pattern.ts';
import { formatProfileType } from '../../src/model/profile-type.ts';
import type { StringIndex } from '../../src/model/rows.ts';
import type {
  MetricsSeries,
  ProfileSelector,
  QueryEngine,
  Report,
  ReportQuestion,
} from '../../src/query/interface.ts';
import type { ReportKind } from '../../src/query/report-kinds.ts';
import type { CallGraph } from '../../src/report/call-graph.ts';
import type { FlameGraph } from '../../src/report/flame-graph.ts';
import type { SourceLines } from '../../src/report/source-lines.ts';
import type { Table } from '../../src/report/table.ts';
import type { Top } from '../../src/report/top.ts';
import type { FrameColumns } from '../../src/report/tree/describe-frames.ts';
import { formatTime, parseTime, type EvalCommand } from './parse-script.ts';
import { readView } from './view-options.ts';

/**
 * A row of an answer: fields that are always compared, and facts that are compared only if the
 * script names them.
 */
export interface AnswerRow {
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Answer {
  /** Facts of the whole answer, for the line that starts with "=". */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly rows: readonly AnswerRow[];
  /** True if the order of rows is part of the answer. */
  readonly isOrdered: boolean;
}

const { signal } = new AbortController();

export async function evaluate(engine: QueryEngine, command: EvalCommand): Promise<Answer> {
  switch (command.what) {
    case 'range':
      return evaluateRange(engine, command);
    case 'labels':
      return plain(await engine.labelNames(labelQuestion(command), { signal }));
    case 'values':
      return plain(await engine.labelValues(command.query, labelQuestion(command), { signal }));
    case 'types': {
      const types = await engine.profileTypes(givenRange(command), { signal });
      return plain(types.map(formatProfileType));
    }
    default:
      return evaluateReport(engine, command);
  }
}

function plain(texts: readonly string[]): Answer {
  return {
    facts: {},
    rows: texts.map((text) => ({ text: text.replaceAll('\n', '↵'), facts: {} })),
    isOrdered: true,
  };
}

function givenRange({ hasRange, from, to }: EvalCommand): { from: bigint; to: bigint } | undefined {
  return hasRange ? { from, to } : undefined;
}

function labelQuestion(command: EvalCommand) {
  const { options } = command;
  const [profileType = ''] = options.get('type') ?? [];
  return { match: options.get('match') ?? [], profileType, range: givenRange(command) };
}

function splitOption(command: EvalCommand, name: string): string[] {
  return (command.options.get(name) ?? []).flatMap((text) => text.split(','));
}

async function evaluateRange(engine: QueryEngine, command: EvalCommand): Promise<Answer> {
  const { query, from, to, options } = command;
  const [step = '0'] = options.get('step') ?? [];
  const [limit = '0'] = options.get('limit') ?? [];
  const question = {
    query,
    range: { from, to },
    sumBy: splitOption(command, 'sum_by'),
    stepNanos: parseTime(step),
    limit: Number(limit),
  };
  const { series } = await engine.queryRange(question, { signal });
  return { facts: {}, rows: series.flatMap(printPoints), isOrdered: false };
}

function printPoints(series: MetricsSeries): AnswerRow[] {
  const { sampleType, periodType } = series;
  return Array.from(series.timeNanos, (time, i) => ({
    text: `${formatLabels(series.labels)} ${formatTime(time)} ${series.value[i]}`,
    facts: {
      rate: series.valuePerSecond[i],
      duration: formatTime(series.durationNanos[i]),
      rows: series.count[i],
      type: `${sampleType.type}:${sampleType.unit}`,
      period_type: `${periodType.type}:${periodType.unit}`,
    },
  }));
}

function formatLabels(labels: LabelSet): string {
  return `{${labels.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(',')}}`;
}

const reportKinds: ReadonlyMap<string, ReportKind> = new Map([
  ['flamegraph', 'flame-graph'],
  ['single', 'flame-graph'],
  ['top', 'top'],
  ['pprof', 'profile'],
  ['metadata', 'metadata'],
  ['table', 'table'],
  ['callgraph', 'call-graph'],
  ['nested', 'nested-flame-graph'],
  ['flamechart', 'flame-graph'],
  ['source', 'source'],
]);

function zoomAndSearch({ options }: EvalCommand): Pick<ReportQuestion, 'zoomPath' | 'search'> {
  const [text = ''] = options.get('search') ?? [];
  const [mode = 'text'] = options.get('search_mode') ?? [];
  const [zoom = ''] = options.get('zoom') ?? [];
  return {
    zoomPath: zoom === '' ? [] : zoom.split(';'),
    ...(text !== '' && { search: { text, mode: mode as NameSearchMode } }),
  };
}

/**
 * Returns a query with the base that the options `base`, `base_from`, `base_to` and `relative`
 * select.
 */
function withBase(select: ProfileSelector, { options }: EvalCommand): ReportQuestion['select'] {
  const [base] = options.get('base') ?? [];
  if (base === undefined) return select;
  const [from] = options.get('base_from') ?? [];
  const [to] = options.get('base_to') ?? [];
  const range =
    from !== undefined && to !== undefined && select.mode === 'merge'
      ? { range: { from: parseTime(from), to: parseTime(to) } }
      : {};
  const isRelative = options.get('relative')?.[0] === 'yes';
  return {
    mode: 'diff',
    compared: select,
    base: { ...select, query: base, ...range },
    baseScale: isRelative ? 'total' : 'none',
  };
}

async function evaluateReport(engine: QueryEngine, command: EvalCommand): Promise<Answer> {
  const { query, from, to, at, options } = command;
  const select: ProfileSelector =
    at === undefined
      ? { mode: 'merge', query, range: { from, to } }
      : { mode: 'single', query, timeNanos: at };
  const [nodeTrim = '0'] = options.get('trim') ?? [];
  const [rootTrim = '0'] = options.get('root_trim') ?? [];
  const report = await engine.report(
    {
      select: withBase(select, command),
      report: reportKinds.get(command.what) ?? 'flame-graph',
      nodeTrimFraction: Number(nodeTrim),
      rootTrimFraction: Number(rootTrim),
      groupBy: [
        ...splitOption(command, 'group_by'),
        ...(command.what === 'flamechart' ? ['timestamp'] : []),
      ],
      view: readView(command),
      ...zoomAndSearch(command),
      source: {
        fileName: options.get('file')?.[0] ?? '',
        buildId: options.get('build')?.[0] ?? '',
      },
    },
    { signal },
  );
  return describe(report);
}

function describe(report: Report): Answer {
  const facts = {
    total: report.total,
    filtered: report.filtered,
    profiles: report.profileCount,
    samples: report.sampleCount,
    snapshots: report.snapshots,
    period: report.period,
    found: report.search?.cumulative,
    found_self: report.search?.flat,
    found_names: report.search?.nameCount,
    found_diff: report.search?.cumulativeDiff,
    found_self_diff: report.search?.flatDiff,
    base_total: report.base?.total,
    base_filtered: report.base?.filtered,
    base_profiles: report.base?.profileCount,
    base_samples: report.base?.sampleCount,
    time: formatTime(report.timeNanos),
    duration: formatTime(report.durationNanos),
    type: `${report.valueType.type}:${report.valueType.unit}`,
    profile_type: formatProfileType(report.profileType),
  };
  if (report.kind === 'profile') {
    const answer = describeExport(report);
    return { ...answer, facts: { ...facts, ...answer.facts } };
  }
  if (report.kind === 'top') return { facts, rows: topRows(report.top), isOrdered: true };
  if (report.kind === 'table') return { facts, rows: tableRows(report.table), isOrdered: false };
  if (report.kind === 'call-graph') {
    return { facts, rows: callGraphRows(report.graph), isOrdered: false };
  }
  if (report.kind === 'metadata') {
    const files = report.mappingFiles.map((file) => `mapping ${file}`);
    const labels = report.labelNames.map((name) => `label ${name}`);
    return { ...plain([...files, ...labels]), facts };
  }
  if (report.kind === 'source') {
    return { facts, rows: sourceRows(report.lines), isOrdered: true };
  }
  if (!('graph' in report)) throw new Error('scripts cannot show this kind of report');
  const { graph } = report;
  const own = { trimmed: graph.trimmed, height: graph.height };
  const rest = { empty: graph.isEmpty, zoomed: graph.zoomedFrames };
  return { facts: { ...facts, ...own, ...rest }, rows: graphRows(graph), isOrdered: false };
}

function graphRows(graph: FlameGraph): AnswerRow[] {
  const paths: string[] = [];
  return Array.from({ length: graph.rowCount }, (_, row) => {
    const above = row === 0 || graph.parent[row] === 0 ? '' : `${paths[graph.parent[row]]};`;
    paths.push(row === 0 ? 'root' : above + nodeName(graph, row));
    return {
      text: `${paths[row]} ${graph.cumulative[row]} ${graph.flat[row]}`,
      facts: graphFacts(graph, row),
    };
  });
}

function nodeName(graph: FlameGraph, row: number): string {
  if (graph.labelsOnly[row] === 1) {
    const labels = graph.labels.filter(({ index }) => index[row] !== -1);
    return formatLabels(
      labels.map(({ name, values, index }) => ({ name, value: values[index[row]] })),
    );
  }
  const { frames, frame, strings } = graph;
  const name = frames.functionName[frame[row]];
  return name === -1 ? formatAddress(frames, frame[row]) : strings.text(name as StringIndex);
}

function formatAddress({ addressHigh, addressLow }: FrameColumns, row: number): string {
  return `0x${((BigInt(addressHigh[row]) << 32n) | BigInt(addressLow[row])).toString(16)}`;
}

function graphFacts(graph: FlameGraph, row: number): AnswerRow['facts'] {
  const text = (index: number): string =>
    index === -1 ? '-' : graph.strings.text(index as StringIndex);
  const number = (value: number): string => (value === -1 ? '-' : String(value));
  const { frames } = graph;
  const frame = graph.frame[row];
  return {
    inlined: number(frames.inlined[frame]),
    line: number(frames.line[frame]),
    start: number(frames.startLine[frame]),
    system: text(frames.systemName[frame]),
    file: text(frames.fileName[frame]),
    mapping: text(frames.mappingFile[frame]),
    build: text(frames.buildId[frame]),
    address: frames.hasAddress[frame] === 1 ? formatAddress(frames, frame) : '-',
    depth: graph.depth[row],
    diff: graph.diff?.[row],
    at: graph.startNanos && formatTime(graph.startNanos[row]),
    takes: graph.lengthNanos?.[row],
  };
}

function sourceRows(lines: SourceLines): AnswerRow[] {
  return Array.from({ length: lines.rowCount }, (_, row) => {
    const file = lines.strings.text(lines.fileName[row] as StringIndex);
    return {
      text: `${file}:${lines.line[row]} ${lines.cumulative[row]} ${lines.flat[row]}`,
      facts: { diff: lines.cumulativeDiff?.[row], flat_diff: lines.flatDiff?.[row] },
    };
  });
}

function topRows(top: Top): AnswerRow[] {
  const { strings, locations } = top.dictionary;
  return Array.from({ length: top.rowCount }, (_, row) => {
    const location = top.location[row];
    const address = locations.addressLow[location] + locations.addressHigh[location] * 2 ** 32;
    const name = strings.text(top.name[row] as StringIndex) || `0x${address.toString(16)}`;
    return {
      text: `${name} ${top.cumulative[row]} ${top.flat[row]}`,
      facts: {
        line: top.line[row],
        diff: top.cumulativeDiff?.[row],
        flat_diff: top.flatDiff?.[row],
      },
    };
  });
}

function tableRows(table: Table): AnswerRow[] {
  const names = Array.from(table.functionName, (name, row) =>
    name === -1 ? formatAddress(table, row) : table.strings.text(name as StringIndex),
  );
  const list = ({ starts, rows }: Table['callers'], row: number): string =>
    [...rows.subarray(starts[row], starts[row + 1])]
      .map((at) => names[at])
      .sort()
      .join(',');
  return names.map((name, row) => ({
    text: `${name} ${table.cumulative[row]} ${table.flat[row]}`,
    facts: {
      callers: list(table.callers, row),
      callees: list(table.callees, row),
      diff: table.cumulativeDiff?.[row],
      flat_diff: table.flatDiff?.[row],
    },
  }));
}

function callGraphRows({ nodes, edges, edgeDiff }: CallGraph): AnswerRow[] {
  const rows = topRows(nodes);
  const names = rows.map(({ text }) => text.split(' ')[0]);
  const calls = Array.from({ length: edges.length }, (_, edge) => ({
    text: `${names[edges.caller[edge]]}->${names[edges.callee[edge]]} ${edges.cumulative[edge]}`,
    facts: { direct: edges.isDirect[edge] === 1 ? 'yes' : 'no', diff: edgeDiff?.[edge] },
  }));
  return [...rows, ...calls];
}

/** Encodes the profile and reads it back as any client would. */
function describeExport(report: Extract<Report, { kind: 'profile' }>): Answer {
  const bytes = encodePprof(report.dictionary, report.groups, {
    sampleType: report.valueType,
    periodType: report.profileType.period,
    period: report.period,
    timeNanos: report.timeNanos,
    durationNanos: report.durationNanos,
  });
  const columns = new PprofColumns();
  decodePprof(bytes, columns);
  validateProfile(columns);
  const text = (index: number): string => profileText(columns, index);
  const facts = {
    type: `${text(columns.sampleTypeType[0])}:${text(columns.sampleTypeUnit[0])}`,
    period_type: `${text(columns.periodTypeType)}:${text(columns.periodTypeUnit)}`,
    period: columns.period,
    time: formatTime(columns.timeNanos),
    duration: formatTime(columns.durationNanos),
    total: report.total,
  };
  const rows = Array.from({ length: columns.sampleCount }, (_, sample) => {
    const frames: string[] = [];
    for (let i = columns.frameStart[sample]; i < columns.frameStart[sample + 1]; i += 1) {
      frames.unshift(printFrame(columns, columns.frameLocation[i]));
    }
    const labels = readLabels(columns, sample);
    const text = `${frames.join(';') || '-'} ${columns.values[sample]}`;
    return { text: labels.length === 0 ? text : `${text} ${formatLabels(labels)}`, facts: {} };
  });
  return { facts, rows, isOrdered: false };
}

function readLabels(columns: PprofColumns, sample: number): LabelSet {
  const labels: Label[] = [];
  for (let i = columns.labelStart[sample]; i < columns.labelStart[sample + 1]; i += 1) {
    const name = profileText(columns, columns.labelKey[i]);
    labels.push({ name, value: profileText(columns, columns.labelText[i]) });
  }
  return labels;
}

function printFrame(columns: PprofColumns, location: number): string {
  const names: string[] = [];
  for (let line = columns.lineStart[location]; line < columns.lineStart[location + 1]; line += 1) {
    const row = columns.lineFunction[line];
    const name = profileText(columns, columns.functionName[row]);
    names.unshift(name === '' ? profileText(columns, columns.functionSystemName[row]) : name);
  }
  return names.length > 0 ? names.join('>') : `0x${columns.addressLow[location].toString(16)}`;
}
