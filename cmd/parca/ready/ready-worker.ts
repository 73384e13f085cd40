// Thread that answers /-/ready at its own address, even if the main thread is busy.
import type { ServerResponse } from 'node:http';
import { parentPort } from 'node:worker_threads';
import {
  longTurnMillis,
  mainThreadAnswerMillis,
  mainThreadPingMillis,
  mainThreadSilenceMillisMax,
} from '../../../src/base/limits.ts';
import { createServer } from '../../../src/base/node/http.ts';
import { whyNotListening } from '../../../src/base/listen-error.ts';
import { send } from '../../../src/base/threads/send.ts';
import { threadData } from '../../../src/base/threads/unbroken.ts';

/** Responses to /-/ready and /-/ready/write. */
export type ReadyState = Readonly<
  Record<'read' | 'write', { readonly code: number; readonly text: string }>
>;

/** Initial data of the thread. */
export interface ReadyThreadData {
  readonly host: string | undefined;
  readonly port: number;
  readonly starting: ReadyState;
}

/**
 * A message from the thread: a request for the state, the port on which it listens, or the reason
 * why it does not listen.
 */
export type ReadyThreadMessage = 'ping' | { readonly port: number } | { readonly problem: string };

const { host, port, starting } = threadData() as ReadyThreadData;

/** The last state received from the main thread. */
let state: ReadyState = starting;
let toldMillis = performance.now();
/** Time of the oldest ping without a reply. */
let askedMillis: number | undefined;
const waiting = new Set<() => void>();

parentPort?.on('message', (told: ReadyState) => {
  state = told;
  toldMillis = performance.now();
  askedMillis = undefined;
  for (const resolve of waiting) resolve();
});

function ping(): void {
  if (askedMillis !== undefined) return;
  askedMillis = performance.now();
  send(parentPort, 'ping' satisfies ReadyThreadMessage);
}

/** Waits briefly for an update from the main thread. */
function told(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      waiting.delete(end);
      resolve();
    };
    const timer = setTimeout(end, mainThreadAnswerMillis);
    waiting.add(end);
  });
}

function answer(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(`${text}\n`);
}

async function answerState(response: ServerResponse, use: keyof ReadyState): Promise<void> {
  if (performance.now() - toldMillis > mainThreadAnswerMillis) {
    ping();
    await told();
  }
  const { code, text } = state[use];
  const busyMillis = askedMillis === undefined ? 0 : performance.now() - askedMillis;
  const seconds = (busyMillis / 1000).toFixed(1);
  if (busyMillis > mainThreadSilenceMillisMax) {
    const why = `its main thread has been busy for ${seconds} s`;
    answer(response, 503, `The server is not ready: ${why}.`);
  } else if (busyMillis > longTurnMillis) {
    answer(response, code, `${text} Its main thread has been busy for ${seconds} s.`);
  } else answer(response, code, text);
}

const server = createServer((request, response) => {
  const path = request.url?.split('?')[0];
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    answer(response, 405, 'Only GET is allowed.');
  } else if (path === '/-/ready' || path === '/ready') void answerState(response, 'read');
  else if (path === '/-/ready/write') void answerState(response, 'write');
  else if (path === '/-/healthy' || path === '/healthy')
    answer(response, 200, 'The server is healthy.');
  else answer(response, 404, 'Not Found');
});
server.once('error', (error) => {
  send(parentPort, { problem: whyNotListening(error) } satisfies ReadyThreadMessage);
});
server.listen({ host, port }, () => {
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  send(parentPort, { port: bound } satisfies ReadyThreadMessage);
});
setInterval(ping, mainThreadPingMillis);
