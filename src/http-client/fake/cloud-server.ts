// A fake server of a cloud. Tests give it answers from the cloud's documentation.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';

export interface Asked {
  readonly method: string;
  /** Path and query, decoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * An answer: JSON, XML as a string, a status code, JSON with headers, or text with a status code.
 */
export type Answer =
  | object
  | string
  | number
  | { readonly json: object; readonly headers: object }
  | { readonly status: number; readonly text: string };

export type Answers = Readonly<Record<string, Answer | ((asked: Asked) => Answer)>>;

export interface CloudServer {
  readonly url: string;
  readonly asked: readonly Asked[];
}

/** Starts a server. Answers are found by `METHOD /path`, with or without the query. */
export async function startCloudServer(t: TestContext, answers: Answers): Promise<CloudServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const url = decodeURIComponent((request.url ?? '').replaceAll('+', ' '));
      const { method = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      const found = answers[`${method} ${url}`] ?? answers[`${method} ${url.split('?', 1)[0]}`];
      const answer = typeof found === 'function' ? found(one) : (found ?? 404);
      const hasHeaders = typeof answer === 'object' && 'json' in answer && 'headers' in answer;
      const hasStatus = typeof answer === 'object' && 'status' in answer && 'text' in answer;
      const status = typeof answer === 'number' ? answer : hasStatus ? Number(answer.status) : 200;
      response.writeHead(status, hasHeaders ? (answer.headers as Record<string, string>) : {});
      const json = hasHeaders ? answer.json : hasStatus ? answer.text : answer;
      response.end(typeof json === 'string' ? json : JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return { url, asked };
}
