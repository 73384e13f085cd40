// Worker that requests flame graphs and function lists, and prepares and transfers their columns.
import { isDiff } from '../language/query-text.ts';
import { mergeRequest, queryMethod } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { RpcError, call } from '../rpc/grpc-web.ts';
import { setLocalServer } from '../rpc/local.ts';
import { flameGraphArrowReport, topReport } from '../rpc/messages.gen.ts';
import { answeredTree } from './answered-tree.ts';
import { listBuffers } from './build-tree.ts';
import { noFunctionRows, readFunctionRows } from './function-rows.ts';
import { buffersOfTable, type FunctionTable, functionTable } from './function-table.ts';
import type {
  AnsweredTree,
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
  return answeredTree(response, { order, scale, isDiff: isDiff(query), own });
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

function answer(message: FromTreeWorker, transfer: ArrayBuffer[]): void {
  self.postMessage(message, { transfer });
}
