// Requests flame charts (calls by time), and lays them out as lanes. The worker loads this module
// for the first chart.
import { tableFromIPC } from '@uwdata/flechette';
import { mergeRequest, queryMethod } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { call } from '../rpc/grpc-web.ts';
import { flameGraphArrowReport } from '../rpc/messages.gen.ts';
import { readCoverage } from './coverage.ts';
import { groupNames } from './grouping.ts';
import { type ArrowRows, readArrow } from './read-arrow.ts';
import { packStrings, StringReader } from './strings.ts';
import type { ChartLane, ChartQuestion, FlameChart } from './tree-messages.ts';
import { labelFlag, noRow, type Tree } from './tree.ts';

/** Maximum number of lanes; lanes with the largest values are shown. */
const lanesMax = 20;

/**
 * Requests a chart. Errors: RpcError from the server, RangeError for an answer that is not a chart.
 */
export async function fetchChart(question: ChartQuestion, asking: Asking): Promise<FlameChart> {
  const { base, query, span, laneLabels, rootTrimPercent, own } = question;
  const merge = mergeRequest(query, span, flameGraphArrowReport, rootTrimPercent);
  const fields = [...laneLabels.map((name) => `labels.${name}`), 'timestamp'];
  const response = await call(base, queryMethod, { ...merge, groupBy: { fields } }, asking);
  const graph = response.flamegraphArrow;
  if (graph === undefined) throw new RangeError('the answer has no flame chart');
  const { total, profileCount, warnings } = response;
  const { trimmed } = graph;
  return {
    ...buildChart(graph.record, { total, trimmed, own }, span),
    total,
    trimmed,
    warnings,
    coverage: readCoverage(response),
    profileCount: Number(profileCount),
  };
}

/** Rows of the complete answer, ordered by time, and the tables that all lanes share. */
interface TimedRows extends ArrowRows {
  /** Start and duration of each row as fractions of the visible time. */
  readonly x: Float64Array;
  readonly width: Float64Array;
  readonly firstChild: Int32Array;
  readonly childCount: Int32Array;
  readonly shared: Pick<Tree, 'names' | 'strings' | 'groups' | 'total' | 'trimmed'>;
}

/** Lays out a record; profiles that end after the range extend the visible time. */
function buildChart(
  record: Uint8Array,
  { total, trimmed, own }: Pick<Tree, 'total' | 'trimmed'> & Pick<ChartQuestion, 'own'>,
  span: { readonly from: number; readonly to: number },
): Pick<FlameChart, 'lanes' | 'laneCount' | 'from' | 'to'> {
  const table = tableFromIPC(record);
  const int64 = (name: string): BigInt64Array => {
    const values = table.getChild(name)?.data[0]?.values;
    if (!(values instanceof BigInt64Array))
      throw new RangeError(`the answer has no column ${name}`);
    return values;
  };
  const answer = readArrow(record, false);
  const { rows, names, strings } = answer;
  const first = BigInt(span.from) * 1_000_000n;
  const start = Float64Array.from(int64('timestamp'), (time) =>
    time === 0n ? 0 : Number(time - first),
  );
  const length = Float64Array.from(int64('duration'), Number);
  let end = (span.to - span.from) * 1e6;
  for (let row = 0; row < rows.count; row++) end = Math.max(end, start[row] + length[row]);
  const width = length.map((nanos) => nanos / end);
  const reader = new StringReader(strings);
  const named = { ...rows, width, total };
  const shared = {
    names: packStrings(names),
    strings,
    total,
    trimmed,
    groups: groupNames(named, names, (index) => reader.get(index), own),
  };
  const timed: TimedRows = {
    ...answer,
    x: start.map((nanos) => nanos / end),
    width,
    shared,
    ...findChildren(rows.parent),
  };
  const tops = listLanes(timed);
  const drawn = tops.sort((a, b) => Number(b.value - a.value)).slice(0, lanesMax);
  const lanes = drawn.map((top) => ({ title: top.title, tree: layOutLane(timed, top) }));
  return {
    lanes: lanes.sort((a, b) => (a.title < b.title ? -1 : 1)),
    laneCount: tops.length,
    from: span.from,
    to: Math.ceil(span.from + end / 1e6),
  };
}

/** Finds the children of each row, which are consecutive. */
function findChildren(parent: Int32Array): Pick<TimedRows, 'firstChild' | 'childCount'> {
  const firstChild = new Int32Array(parent.length);
  const childCount = new Int32Array(parent.length);
  for (let row = parent.length - 1; row > 0; row--) {
    firstChild[parent[row]] = row;
    childCount[parent[row]]++;
  }
  return { firstChild, childCount };
}

interface Top {
  readonly title: string;
  readonly value: bigint;
  /** Row of the lane, and the rows directly below it. */
  readonly row: number;
  readonly children: readonly number[];
}

/** Returns one lane per label row, and one for rows without labels. */
function listLanes({ rows, names, firstChild, childCount }: TimedRows): Top[] {
  const listChildren = (row: number) =>
    Array.from({ length: childCount[row] }, (_, i) => firstChild[row] + i);
  const isLabels = (row: number) => (rows.flags[row] & labelFlag) !== 0;
  const below = rows.count === 0 ? [] : listChildren(0);
  const bare = below.filter((row) => !isLabels(row));
  const lanes = below.filter(isLabels).map((row) => ({
    title: names[rows.name[row]],
    value: rows.cumulative[row],
    row,
    children: listChildren(row),
  }));
  if (bare.length === 0) return lanes;
  const value = bare.reduce((sum, row) => sum + rows.cumulative[row], 0n);
  return [...lanes, { title: '', value, row: 0, children: bare }];
}

/** Builds the tree of a lane, breadth-first; its root covers the complete time. */
function layOutLane(timed: TimedRows, { row: top, value, children }: Top): ChartLane['tree'] {
  const { rows, x, width, firstChild, childCount, shared } = timed;
  const placed = [top];
  const parent = [noRow];
  const firstPlaced: number[] = [];
  const counts: number[] = [];
  const depths: number[] = [];
  let levelEnd = 0;
  for (let at = 0; at < placed.length; at++) {
    if (at === levelEnd) {
      depths.push(at);
      levelEnd = placed.length;
    }
    const row = placed[at];
    const count = at === 0 ? children.length : childCount[row];
    firstPlaced.push(placed.length);
    counts.push(count);
    for (let i = 0; i < count; i++) {
      placed.push(at === 0 ? children[i] : firstChild[row] + i);
      parent.push(at);
    }
  }
  const at = Uint32Array.from(placed);
  const cumulative = BigInt64Array.from(placed, (row) => rows.cumulative[row]);
  cumulative[0] = value;
  const whole = Math.max(1, Number(shared.total));
  return {
    ...shared,
    count: at.length,
    depthStart: Uint32Array.from([...depths, at.length]),
    x: Float64Array.from(placed, (row, i) => (i === 0 ? 0 : x[row])),
    width: Float64Array.from(placed, (row, i) => (i === 0 ? 1 : width[row])),
    share: Float64Array.from(cumulative, (one) => Number(one) / whole),
    parent: Int32Array.from(parent),
    firstChild: Uint32Array.from(firstPlaced),
    childCount: Uint32Array.from(counts),
    name: at.map((row) => rows.name[row]),
    flags: Uint8Array.from(placed, (row) => rows.flags[row]),
    cumulative,
    flat: BigInt64Array.from(placed, (row) => rows.flat[row]),
    base: undefined,
    baseFactor: 1,
    file: at.map((row) => rows.file[row]),
    binary: at.map((row) => rows.binary[row]),
    buildId: at.map((row) => rows.buildId[row]),
    line: at.map((row) => rows.line[row]),
  };
}
