// Keeps track of the objects of one resource: first lists them, and then watches for changes since
// the list.
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import type { HttpClient } from '../../http-client/http-client.ts';
import { parseJsonBytes } from '../../base/text/json.ts';
import { type Json, listAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import { dropBody } from '../../http-client/read-body.ts';
import { groupPaths, type KubeObject, objectKey, readObject, type Resource } from './objects.ts';

/** Number of objects in one page of a list; the usual size in Kubernetes clients. */
const pageSize = 500;
/** Seconds after which the server ends a watch; the next watch continues from there. */
const watchSeconds = 300;
/**
 * Milliseconds in which the server should end a watch after its time. If it is still silent then,
 * the connection is dead.
 */
const watchGraceMillis = 30_000;
const listMillisMax = 60_000;

/** Selection of the objects that a watch follows. */
export interface WatchedResource {
  readonly resource: Resource;
  /** Namespace; "" for all namespaces. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** Listener for changes; `object` is undefined if the object was removed. */
export type OnChange = (resource: Resource, key: string, object: KubeObject | undefined) => void;

/** Error for a version that the server has forgotten; all objects must then be listed again. */
class GoneError extends Error {}

/**
 * Lists the objects of a resource, and then follows their changes. The known objects are kept
 * between calls to `run`.
 */
export class ResourceWatch {
  readonly #server: string;
  readonly #what: WatchedResource;
  readonly #onChange: OnChange;
  /** Keys of all known objects. */
  #known = new Set<string>();
  /** Version from which the next watch starts; undefined if objects must be listed first. */
  #version: string | undefined;

  constructor(server: string, what: WatchedResource, onChange: OnChange) {
    this.#server = server;
    this.#what = what;
    this.#onChange = onChange;
  }

  /**
   * Lists the objects if needed, calls `onListed`, and then watches until the server ends the
   * watch.
   *
   * Errors: AppError naming the resource: 'permission-denied' if the account lacks permission,
   * 'unavailable' for other failures; the reason of the signal.
   */
  async run(client: HttpClient, signal: AbortSignal, onListed: () => void): Promise<void> {
    try {
      this.#version ??= await this.#list(client, signal);
      onListed();
      await this.#watch(client, this.#version, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof GoneError)) throw error;
      this.#version = undefined;
    }
  }

  async #list(client: HttpClient, signal: AbortSignal): Promise<string> {
    const { resource } = this.#what;
    const seen = new Set<string>();
    for (let page = ''; ;) {
      const query = { limit: String(pageSize), ...(page === '' ? {} : { continue: page }) };
      const answer = await this.#request(client, query, listMillisMax, signal);
      const list = parseJsonBytes(await readPage(answer), this.#failure('a list').message) as Json;
      for (const item of listAt(list, 'items')) {
        const object = readObject(resource, item);
        seen.add(objectKey(object));
        this.#onChange(resource, objectKey(object), object);
      }
      const metadata = mapAt(list, 'metadata');
      page = stringAt(metadata, 'continue');
      if (page !== '') continue;
      for (const key of this.#known) if (!seen.has(key)) this.#onChange(resource, key, undefined);
      this.#known = seen;
      return stringAt(metadata, 'resourceVersion');
    }
  }

  async #watch(client: HttpClient, version: string, signal: AbortSignal): Promise<void> {
    const query = {
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: version,
      timeoutSeconds: String(watchSeconds),
    };
    const millisMax = watchSeconds * 1_000 + watchGraceMillis;
    const answer = await this.#request(client, query, millisMax, signal);
    for await (const line of splitLines(answer)) {
      this.#take(parseJsonBytes(line, this.#failure('a change').message) as Json);
    }
  }

  #take(event: Json): void {
    const { resource } = this.#what;
    const [type, json] = [stringAt(event, 'type'), mapAt(event, 'object')];
    if (type === 'ERROR') {
      if (stringAt(json, 'code') === '410') throw new GoneError();
      throw this.#failure(stringAt(json, 'message') || 'the watch failed');
    }
    this.#version = stringAt(mapAt(json, 'metadata'), 'resourceVersion');
    if (type === 'BOOKMARK') return;
    const object = readObject(resource, json);
    const key = objectKey(object);
    const isGone = type === 'DELETED';
    if (isGone) this.#known.delete(key);
    else this.#known.add(key);
    this.#onChange(resource, key, isGone ? undefined : object);
  }

  /** Sends a request, and returns the body of its answer if the status is 200. */
  async #request(
    client: HttpClient,
    query: Readonly<Record<string, string>>,
    millisMax: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { resource, namespace, labelSelector, fieldSelector } = this.#what;
    const base = new URL(this.#server);
    const inNamespace = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
    const parameters = new URLSearchParams({
      ...query,
      ...(labelSelector === '' ? {} : { labelSelector }),
      ...(fieldSelector === '' ? {} : { fieldSelector }),
    });
    const path = `${groupPaths[resource]}${inNamespace}/${resource}?${parameters}`;
    const own = await client.headers();
    const { statusCode, body } = await client.dispatcher.request({
      origin: base.origin,
      path: base.pathname.replace(/\/$/, '') + path,
      method: 'GET',
      headers: { ...own, accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(millisMax)]),
      // A watch without changes sends nothing for its whole duration.
      bodyTimeout: 0,
    });
    if (statusCode === 200) return body as AsyncIterable<Uint8Array>;
    dropBody(body);
    if (statusCode === 410) throw new GoneError();
    throw this.#failure(
      `the server answers with status ${statusCode}${hints.get(statusCode) ?? ''}`,
      statusCode === 403 ? 'permission-denied' : 'unavailable',
    );
  }

  #failure(why: string, code: ErrorCode = 'unavailable'): AppError {
    const { resource, namespace } = this.#what;
    const where = namespace === '' ? '' : ` of namespace ${namespace}`;
    return new AppError(code, `cannot watch ${resource}${where}: ${why}`);
  }
}

const hints: ReadonlyMap<number, string> = new Map([
  [401, ': the credentials are wrong'],
  [403, ': the account needs the rights to list and to watch'],
]);

/** Reads a page of a list. A page that exceeds the limit for answers is an error. */
async function readPage(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > inputLimits.discoveryBytes) {
      const why = `a page of the list has more than ${inputLimits.discoveryBytes} bytes`;
      throw overInputLimit('discoveryBytes', `cannot list: ${why}`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Yields the lines of a body. A line longer than any object is an error. */
async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  let length = 0;
  for await (let part of body) {
    for (let end = part.indexOf(10); end !== -1; end = part.indexOf(10)) {
      yield Buffer.concat([...rest, part.subarray(0, end)]);
      [rest, length] = [[], 0];
      part = part.subarray(end + 1);
    }
    length += part.length;
    if (length > inputLimits.discoveryBytes) {
      throw overInputLimit('discoveryBytes', 'cannot watch: the answer has an endless line');
    }
    if (part.length > 0) rest.push(part);
  }
}
