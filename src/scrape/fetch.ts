// One HTTP request for one profile, with a deadline and limits.
import type { Dispatcher } from 'undici';
import { errorMessage, networkMessage } from '../base/errors.ts';
import { speaksTls } from '../base/node/speaks-tls.ts';
import { connectionFault } from '../base/connection-fault.ts';
import { inputLimits, inputLimitTable } from '../base/input-limits.ts';
import { dropBody, readBody } from '../http-client/read-body.ts';
import { undici } from '../http-client/undici.ts';
import { undoEncodings } from './content-encoding.ts';
import { ScrapeError } from './scrape-error.ts';

export interface FetchRequest {
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts the request at the deadline of the scrape, or when the loop stops. */
  readonly signal: AbortSignal;
  readonly bodyBytesMax: number;
  /** Called before bytes of the body are kept in memory. Its errors abort the request. */
  readonly take?: ((bytes: number) => void) | undefined;
}

/** Bytes that are read of an error response's body, to quote its first line. */
const quotedBytesMax = 4_096;
const quotedCharactersMax = 200;

/**
 * Returns the body of a 200 response, which is not empty. It may still be compressed.
 *
 * Errors: ScrapeError; the signal's reason when it is aborted.
 */
export async function fetchProfile(options: FetchRequest): Promise<Uint8Array> {
  return fetchWith(options, (answer) => readAnswer(answer, options));
}

/**
 * Returns the body of a 200 response in HTML; undefined for any other response.
 *
 * Errors: as in fetchProfile, if there is no response.
 */
export async function fetchIndex(options: FetchRequest): Promise<string | undefined> {
  return fetchWith(options, async ({ statusCode, headers, body }) => {
    if (statusCode !== 200 || !isHtml(headers)) {
      dropBody(body);
      return undefined;
    }
    const bytes = await readBody(body, options.bodyBytesMax, options.take);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  });
}

async function fetchWith<T>(
  options: FetchRequest,
  read: (answer: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const { signal } = options;
  try {
    return await read(await send(options));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ScrapeError) throw error;
    throw new ScrapeError('connect', await connectReason(options.url, error), { cause: error });
  }
}

/** Returns the reason why there is no response. Suggests another scheme if that would help. */
async function connectReason(url: string, error: unknown): Promise<string> {
  const { kind, text } =
    connectionFault(networkMessage(error)) ?? connectionFault(errorMessage(error)) ?? {};
  const { protocol, hostname, port } = new URL(url);
  if (kind === 'no-tls') return `${text}: set scheme: http`;
  const isPlain = protocol === 'http:';
  if (
    kind === 'closed' &&
    isPlain &&
    (await speaksTls(hostname.replace(/^\[|\]$/g, ''), Number(port || 80)))
  ) {
    return 'it speaks TLS: set scheme: https';
  }
  return networkMessage(error);
}

/** Sends a request. If the target had closed the idle connection, sends the request again. */
async function send(options: FetchRequest): Promise<Dispatcher.ResponseData> {
  const { url, dispatcher, headers, signal } = options;
  const { request } = undici();
  // The timeouts of the HTTP client are off, because a profile may take long. Only the deadline of
  // the scrape applies.
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  try {
    return await request(url, { dispatcher, headers, signal, ...limits });
  } catch (error) {
    if (signal.aborted || !isClosedConnection(error)) throw error;
    return request(url, { dispatcher, headers, signal, ...limits });
  }
}

function isClosedConnection(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

type Body = Dispatcher.ResponseData['body'];

async function readAnswer(
  answer: Dispatcher.ResponseData,
  { bodyBytesMax: bytesMax, take }: FetchRequest,
): Promise<Uint8Array> {
  const { statusCode, headers, body } = answer;
  if (statusCode >= 300 && statusCode < 400) {
    dropBody(body);
    const location = headerText(headers['location']) || 'an unnamed place';
    const why = `it answers ${statusCode} and redirects to ${location}; see follow_redirects`;
    throw new ScrapeError('redirect', why);
  }
  if (statusCode !== 200) {
    const said = isHtml(headers) ? 'an HTML page' : await firstLine(body);
    dropBody(body);
    const quote = said === '' ? '' : `: ${said}`;
    throw new ScrapeError('status', `it answers ${statusCode}, expected 200${quote}`);
  }
  if (isHtml(headers)) {
    dropBody(body);
    throw new ScrapeError(
      'html',
      'it answers an HTML page, expected a profile; is the path right?',
    );
  }
  const announced = Number(headerText(headers['content-length']) || 0);
  if (announced > bytesMax) {
    dropBody(body);
    throw tooLarge(bytesMax);
  }
  const bytes = await readBody(body, bytesMax, take);
  if (bytes === undefined) throw tooLarge(bytesMax);
  if (bytes.length === 0) throw new ScrapeError('empty', 'it answers an empty body');
  return undoEncodings(bytes, headerText(headers['content-encoding']), take);
}

function isHtml(headers: Dispatcher.ResponseData['headers']): boolean {
  return /\bhtml\b/i.test(headerText(headers['content-type']));
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
}

function tooLarge(bytesMax: number): ScrapeError {
  // The error names the flag only for the server's own limit, because a job may have a smaller
  // limit.
  const isOfServer = bytesMax === inputLimits.scrapeBodyBytes;
  return new ScrapeError('too-large', `it answers more than the limit of ${bytesMax} bytes`, {
    limit: isOfServer ? inputLimitTable.scrapeBodyBytes.flag : undefined,
  });
}

/** Returns the first line of an error response, quoted and truncated. */
async function firstLine(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes: Uint8Array = chunk;
    chunks.push(bytes);
    length += bytes.length;
    if (length >= quotedBytesMax) break;
  }
  const text = Buffer.concat(chunks).toString('utf8').trimStart();
  const line = text.split('\n', 1)[0].trim();
  return line === '' ? '' : JSON.stringify(line.slice(0, quotedCharactersMax));
}
