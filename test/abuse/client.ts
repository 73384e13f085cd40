// The attackers' client: sends requests over many connections, counts the answers and drops them.
import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import type { Target } from './attack.ts';

/** A request; a request with a body and no method is a POST. */
export interface Shot {
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Local address to send from; chosen by the system if absent. */
  readonly localAddress?: string;
}

/** Number of answers by status, or by connection error. */
export const answers = new Map<string, number>();

const agent = new Agent({ keepAlive: true, maxSockets: 4_000 });

/** Counts an answer. */
export function count(kind: string): void {
  answers.set(kind, (answers.get(kind) ?? 0) + 1);
}

/** Sends a request, and drops the answer; resolves to the status, or to 0 if there is no answer. */
export async function send(target: Target, shot: Shot, signal?: AbortSignal): Promise<number> {
  try {
    const answer = await open(target, shot, signal);
    answer.resume();
    await new Promise((resolve, reject) => {
      answer.once('end', resolve).once('error', reject).once('close', resolve);
    });
    const status = answer.statusCode ?? 0;
    count(String(status));
    return status;
  } catch (error) {
    if (signal?.aborted !== true) count(errorCode(error));
    return 0;
  }
}

/** Sends a request, and returns the answer as a string; fails unless the status is 2xx. */
export async function ask(target: Target, shot: Shot): Promise<string> {
  const answer = await open(target, shot);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 299)
    throw new Error(`${shot.path}: ${status} ${text.slice(0, 300)}`);
  return text;
}

/** Sends a request, and resolves when the head of the answer arrives. */
export function open(target: Target, shot: Shot, signal?: AbortSignal): Promise<IncomingMessage> {
  const { host, port } = target;
  const { path, headers, body, localAddress } = shot;
  const method = shot.method ?? (body === undefined ? 'GET' : 'POST');
  return new Promise((resolve, reject) => {
    const request = startRequest(
      { host, port, path, method, headers, agent, signal, localAddress },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Repeats `act` until the signal is aborted, `atOnce` at a time. */
export async function flood(
  signal: AbortSignal,
  atOnce: number,
  act: (i: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const repeat = async (): Promise<void> => {
    while (!signal.aborted) {
      next += 1;
      await act(next);
      // Without this pause, immediate refusals would keep this process from seeing the signal.
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
}

/** Returns an act that sends requests in turn, `atOnce` at a time. */
export function shooting(
  target: Target,
  atOnce: number,
  shotOf: (i: number) => Shot,
): (signal: AbortSignal) => Promise<void> {
  return (signal) => flood(signal, atOnce, (i) => send(target, shotOf(i), signal));
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
