// A Kubernetes API server for tests, with lists in pages, watches, and versions that expire.
import type { ServerResponse } from 'node:http';
import { startTargetServer } from '../../scrape/fake/target-server.ts';

/** An object of the API. */
export interface ApiObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

const pageSize = 2;

export class KubernetesApi {
  readonly #objects = new Map<string, Map<string, ApiObject>>();
  readonly #watchers = new Set<{ readonly path: string; readonly response: ServerResponse }>();
  /** Past events. A watch that begins at an earlier version gets them again. */
  readonly #events: { readonly path: string; readonly version: number; readonly line: string }[] =
    [];
  #server: Awaited<ReturnType<typeof startTargetServer>> | undefined;
  #version = 100;
  /** Oldest version at which a watch may begin. */
  #oldest = 0;
  /** Status code of every answer. */
  status = 200;
  /** Status codes of answers at some paths, which override `status`. */
  readonly statuses = new Map<string, number>();
  /** Objects that clients can get one by one, by their paths. */
  readonly singles = new Map<string, ApiObject>();
  /** The required token. */
  token = 'secret';

  /** Returns `http://127.0.0.1:port`. */
  get url(): string {
    return `http://${this.#server?.address}`;
  }

  /** Paths and queries of all requests. */
  get requests(): readonly string[] {
    return this.#server?.requests ?? [];
  }

  async start(...paths: readonly string[]): Promise<void> {
    const handlers = paths.map((path) => [path, this.#handler(path)] as const);
    this.#server = await startTargetServer(Object.fromEntries(handlers));
  }

  close(): Promise<void> | undefined {
    return this.#server?.close();
  }

  set(path: string, object: ApiObject): void {
    const objects = this.#at(path);
    const type = objects.has(objectName(object)) ? 'MODIFIED' : 'ADDED';
    objects.set(objectName(object), object);
    this.#tell(path, type, object);
  }

  delete(path: string, object: ApiObject): void {
    this.#at(path).delete(objectName(object));
    this.#tell(path, 'DELETED', object);
  }

  /** Changes objects without telling the watches, and makes earlier versions expire. */
  changeUnseen(change: () => void): void {
    this.endWatches();
    change();
    this.#oldest = this.#version;
  }

  endWatches(): void {
    for (const { response } of this.#watchers) response.end();
    this.#watchers.clear();
  }

  /** Tells all watches that their version has expired. */
  expireWatches(): void {
    const event = { type: 'ERROR', object: { kind: 'Status', code: 410 } };
    for (const { response } of this.#watchers) response.write(`${JSON.stringify(event)}\n`);
    this.endWatches();
  }

  #at(path: string): Map<string, ApiObject> {
    const objects = this.#objects.get(path) ?? new Map<string, ApiObject>();
    this.#objects.set(path, objects);
    return objects;
  }

  #tell(path: string, type: string, object: ApiObject): void {
    this.#version += 1;
    const { metadata } = object;
    const versioned = { ...metadata, resourceVersion: String(this.#version) };
    const line = `${JSON.stringify({ type, object: { ...object, metadata: versioned } })}\n`;
    this.#events.push({ path, version: this.#version, line });
    for (const watcher of this.#watchers) {
      if (watcher.path !== path) continue;
      // Chunks of a stream may end at any position.
      watcher.response.write(line.slice(0, 40));
      watcher.response.write(line.slice(40));
    }
  }

  #handler(path: string): Parameters<typeof startTargetServer>[0][string] {
    return (request, response) => {
      const query = new URL(request.url ?? '', 'http://a').searchParams;
      const isKnown = request.headers.authorization === `Bearer ${this.token}`;
      const status = isKnown ? (this.statuses.get(path) ?? this.status) : 401;
      const isExpired = Number(query.get('resourceVersion') ?? this.#version) < this.#oldest;
      response.writeHead(status === 200 && isExpired ? 410 : status);
      if (status !== 200 || isExpired) {
        response.end('{}');
        return;
      }
      const single = this.singles.get(path);
      if (single !== undefined) {
        // API servers send only the metadata to clients that ask for it in this way.
        const isPartial = (request.headers.accept ?? '').includes('as=PartialObjectMetadata');
        const partial = { kind: 'PartialObjectMetadata', metadata: single.metadata };
        response.end(JSON.stringify(isPartial ? partial : single));
        return;
      }
      if (query.get('watch') === '1') {
        response.flushHeaders();
        const from = Number(query.get('resourceVersion') ?? this.#version);
        for (const event of this.#events) {
          if (event.path === path && event.version > from) response.write(event.line);
        }
        this.#watchers.add({ path, response });
        return;
      }
      const first = Number(query.get('continue') ?? 0);
      const items = [...this.#at(path).values()];
      const next = first + pageSize < items.length ? { continue: String(first + pageSize) } : {};
      const metadata = { resourceVersion: String(this.#version), ...next };
      response.end(JSON.stringify({ metadata, items: items.slice(first, first + pageSize) }));
    };
  }
}

function objectName({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
