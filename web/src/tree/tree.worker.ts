// Worker that requests flame graphs and function lists, and prepares and transfers their columns.
import { isDiff } from '../language/query-text.ts';
import { mergeRequest, queryMethod } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { RpcError, call } from '../rpc/grpc-web.ts';
import { setLocalServer } from '../rpc/local.ts';
import { flameGraphArrowReport, topReport } from '../rpc/messages.gen.ts';
import { listBuffers, buildTree } from './build-tree.ts';
import { readCoverage } from './coverage.ts';
import { noFunctionRows, readFunctionRows } from './function-rows.ts';
import { buffersOfTable, type FunctionTable, functionTable } from './function-table.ts';
import type {
  AnsweredTree,
  AnswerSide,
  Asked,
  FromTreeWorker,
  FunctionsQuestion,
  ToTreeWorker,
  TreeQuestion,
} from './tree-messages.ts';

const running = new Map<number, AbortController>();

self.addEventListener('message', (event: MessageEvent<ToTreeWorker>) => {
  const { data } = event;
  if (data.kind === 'cancel') running.get(data.id)?.abort();
  else if (data.kind === 'connect') connecting = connect(data.port);
  else void load(data.id, data, data.tag);
});

/** Resolves when queries about files can be answered. */
let connecting: Promise<void> | undefined;

async function connect(port: MessagePort): Promise<void> {
  const { FilePort } = await import('../rpc/file-port.ts');
  setLocalServer(new FilePort(port));
  port.start();
}

async function load(id: number, asked: Asked, tag: string | undefined): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    await connecting;
    const asking = { signal: controller.signal, tag };
    if (asked.kind === 'tree') {
      const value = await fetchTree(asked.question, asking);
      answer({ kind: 'answer', id, value }, listBuffers(value));
    } else if (asked.kind === 'chart') {
      const { fetchChart } = await import('./flame-chart.ts');
      answer({ kind: 'answer', id, value: await fetchChart(asked.question, asking) }, []);
    } else {
      const value = await fetchFunctions(asked.question, asking);
      answer({ kind: 'answer', id, value }, buffersOfTable(value));
    }
  } catch (error) {
    if (controller.signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof RpcError ? error.code : undefined;
    answer({ kind: 'failed', id, code, message }, []);
  } finally {
    running.delete(id);
  }
}

async function fetchTree(question: TreeQuestion, asking: Asking): Promise<AnsweredTree> {
  const { base, query, span, order, scale, rootTrimPercent, zoomPath, own } = question;
  const merge = mergeRequest(query, span, flameGraphArrowReport, rootTrimPercent);
  const request = { ...merge, zoomPath: [...zoomPath] };
  const response = await call(base, queryMethod, request, asking);
  const graph = response.flamegraphArrow;
  if (graph === undefined) throw new RangeError('the answer has no flame graph');
  const { total, filtered, base: baseFacts, profileCount, warnings, zoomedFrames } = response;
  const coverage = readCoverage(response);
  const baseSide = baseFacts && { total: baseFacts.total, coverage: readCoverage(baseFacts) };
  const { load, profileTypes } = response;
  // Both sides have too few functions in common to estimate the load, so shares are compared.
  const found = scale === 'load' && load === undefined ? 'total' : scale;
  const baseFactor =
    baseSide && computeBaseFactor(found, baseSide, { total, coverage }, load?.ratio);
  const totals = { total, trimmed: graph.trimmed, isDiff: isDiff(query), baseFactor, own };
  const tree = buildTree(graph.record, totals, order);
  return {
    ...tree,
    profileTypes,
    scale: found,
    load: load && baseSide && { ...load, perTime: load.ratio * timeRatio(baseSide, { coverage }) },
    coverage,
    baseSide,
    filtered,
    profileCount: Number(profileCount),
    warnings,
    zoomedFrames,
  };
}

async function fetchFunctions(
  { base, query, span, own }: FunctionsQuestion,
  asking: Asking,
): Promise<FunctionTable> {
  const merge = mergeRequest(query, span, topReport, 0);
  const request = { ...merge, topRecord: true };
  const { top, total, base: side } = await call(base, queryMethod, request, asking);
  const baseTotal = isDiff(query) ? (side?.total ?? 0n) : undefined;
  const rows = top === undefined ? noFunctionRows : readFunctionRows(top.record);
  return functionTable(rows, { total, baseTotal, own });
}

/** Returns the ratio of the base's values to the other side's values. */
function computeBaseFactor(
  scale: TreeQuestion['scale'],
  base: AnswerSide,
  compared: AnswerSide,
  loadRatio: number | undefined,
): number | undefined {
  if (scale === 'total') return undefined;
  if (scale === 'load') {
    const total = Number(compared.total);
    return total > 0 ? (Number(base.total) * (loadRatio ?? 1)) / total : undefined;
  }
  // Profiles have a duration or are snapshots, which may differ from what the page assumed.
  // Otherwise, the change of a row would have another scale than its sides.
  const isKnown = base.coverage[scale] > 0 && compared.coverage[scale] > 0;
  const unit = isKnown ? scale : scale === 'seconds' ? 'snapshots' : 'seconds';
  const [before, now] = [base, compared].map(
    ({ total, coverage }) => Number(total) / coverage[unit],
  );
  const factor = before / now;
  return Number.isFinite(factor) ? factor : undefined;
}

/** Returns the ratio of the base's time, or number of snapshots, to the other side's. */
function timeRatio(base: AnswerSide, { coverage }: Pick<AnswerSide, 'coverage'>): number {
  const { seconds, snapshots } = base.coverage;
  const ratio = seconds > 0 ? seconds / coverage.seconds : snapshots / coverage.snapshots;
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1;
}

function answer(message: FromTreeWorker, transfer: ArrayBuffer[]): void {
  self.postMessage(message, { transfer });
}
