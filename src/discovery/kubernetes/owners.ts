// Finds the owners of pods' controllers: the Deployment of a ReplicaSet, the CronJob of a Job.
//
// Each controller is requested once, and only its metadata. A watch would send the metadata of the
// whole cluster to every node.
import { forEachAtOnce } from '../../base/at-once.ts';
import { errorCode, networkMessage } from '../../base/errors.ts';
import { LeastRecent } from '../../base/least-recent.ts';
import { listAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import type { HttpClient } from '../../http-client/http-client.ts';
import { createSend, getJson } from '../../http-client/send.ts';
import type { DiscoveryContext } from '../interface.ts';
import { findApiServer, openApiClient } from './api-server.ts';
import type { KubernetesSettings } from './settings.ts';

/** A controller of pods. */
export interface Controller {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** Kinds of controllers that have owners: their API paths, and the kind of the owner. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ['ReplicaSet', { group: '/apis/apps/v1', resource: 'replicasets', owner: 'Deployment' }],
  ['Job', { group: '/apis/batch/v1', resource: 'jobs', owner: 'CronJob' }],
]);

interface Kind {
  readonly group: string;
  readonly resource: string;
  readonly owner: string;
}

/** Maximum number of controllers whose owners are kept. */
const ownersMax = 8_192;
/**
 * Maximum number of concurrent requests. It is limited, because a node that starts has a hundred
 * pods.
 */
const requestsMax = 4;
/** Longest time for an answer, in milliseconds; labels of pods wait for it. */
const answerMillisMax = 2_000;
/** Milliseconds after a failure in which a resource is not requested. */
const retryMillis = 60_000;
/**
 * Milliseconds after a refusal in which a resource is not requested: requests are refused until
 * somebody changes a role.
 */
const refusedMillis = 600_000;
const idleMillis = 60_000;

/** Accepted formats. A server that does not know the first format sends the complete object. */
const metadataOnly =
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

/** Finds owners of controllers if the account has permission to read them. */
export class Owners {
  readonly #settings: KubernetesSettings;
  readonly #context: DiscoveryContext;
  readonly #known = new LeastRecent<string>(ownersMax, () => 1);
  /** Monotonic time until which each resource is not requested. */
  readonly #waitsUntil = new Map<string, number>();
  #opened: { readonly url: string; readonly client: HttpClient } | undefined;

  /** `settings` contain the address of the API server. */
  constructor(settings: KubernetesSettings, context: DiscoveryContext) {
    this.#settings = settings;
    this.#context = context;
  }

  /**
   * Returns the name of the owner; "" if the controller has no owner, undefined if the owner is not
   * known.
   */
  find(controller: Controller): string | undefined {
    return this.#known.get(controllerKey(controller));
  }

  /** Requests the owners that are not known yet. Failures are logged. */
  async load(controllers: readonly Controller[], signal: AbortSignal): Promise<void> {
    const unknown = new Map<string, Controller>();
    for (const controller of controllers) {
      if (!kinds.has(controller.kind) || this.find(controller) !== undefined) continue;
      unknown.set(controllerKey(controller), controller);
    }
    await forEachAtOnce([...unknown.values()], requestsMax, (one) => this.#loadOne(one, signal));
  }

  async close(): Promise<void> {
    await this.#opened?.client.close();
  }

  async #loadOne(controller: Controller, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#context;
    const kind = kinds.get(controller.kind);
    const isWaiting = (resource: string): boolean =>
      (this.#waitsUntil.get(resource) ?? -Infinity) > clock.monotonicMillis();
    if (kind === undefined || signal.aborted || isWaiting(kind.resource)) return;
    const { resource } = kind;
    try {
      const owner = await this.#read(controller, kind, signal);
      if (owner !== undefined) this.#known.put(controllerKey(controller), owner);
    } catch (error) {
      if (signal.aborted || isWaiting(resource)) return;
      const isRefused = errorCode(error) === 'permission-denied';
      const waitMillis = isRefused ? refusedMillis : retryMillis;
      this.#waitsUntil.set(resource, clock.monotonicMillis() + waitMillis);
      logger.info('owners of pods follow from names of their controllers', {
        resource,
        error: networkMessage(error),
      });
    }
  }

  /**
   * Requests a controller, and returns the name of its owner; undefined if the controller no longer
   * exists.
   */
  async #read(
    { namespace, name }: Controller,
    { group, resource, owner }: Kind,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { url, client } = await this.#open();
    const deadline = AbortSignal.timeout(answerMillisMax);
    const send = createSend(client, AbortSignal.any([signal, deadline]));
    const path = ['namespaces', namespace, resource, name].map(encodeURIComponent).join('/');
    const asked = {
      url: `${url.replace(/\/$/, '')}${group}/${path}`,
      headers: { accept: metadataOnly },
      what: resource,
    };
    let answer: unknown;
    try {
      answer = await getJson(send, asked);
    } catch (error) {
      if (errorCode(error) === 'not-found') return undefined;
      throw error;
    }
    const references = listAt(mapAt(mapAt({ answer }, 'answer'), 'metadata'), 'ownerReferences');
    const found = references.find((one) => one['controller'] === true);
    return found !== undefined && stringAt(found, 'kind') === owner ? stringAt(found, 'name') : '';
  }

  async #open(): Promise<{ readonly url: string; readonly client: HttpClient }> {
    if (this.#opened !== undefined) return this.#opened;
    const server = await findApiServer(this.#settings, this.#context);
    const client = await openApiClient(server, idleMillis, this.#context);
    // While this call waited, another call may have opened a client.
    if (this.#opened === undefined) this.#opened = { url: server.url, client };
    else await client.close();
    return this.#opened;
  }
}

function controllerKey({ namespace, kind, name }: Controller): string {
  return `${kind}/${namespace}/${name}`;
}
