// Finds the pods of one node by asking its kubelet, for accounts that may not list pods at the API
// server.
//
// Source: GET /pods on port 10250, which returns a PodList. The kubelet is polled, because it has
// no watch.
import type { HttpClientConfig } from '../../config/config.ts';
import { listAt, mapAt } from '../../base/text/json-values.ts';
import type { Discoverer, DiscoveryContext } from '../interface.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';
import { readObject } from './objects.ts';
import { podGroup } from './targets.ts';

/** Default TCP port of the kubelet. */
export const kubeletPort = 10_250;

export interface KubeletSettings {
  /** Address: `https://host:port`. */
  readonly url: string;
  readonly http: HttpClientConfig;
  readonly refreshMillis: number;
}

const hints: ReadonlyMap<number, string> = new Map([
  [401, 'the kubelet does not accept the token of the service account'],
  [
    403,
    'the service account needs the right to get nodes/pods, before Kubernetes 1.33 nodes/proxy',
  ],
]);

const nothingRelated = {
  pod: () => undefined,
  service: () => undefined,
  node: undefined,
  namespace: undefined,
};

/**
 * Creates a discoverer of the pods on a kubelet's node. The groups are the same as for the role
 * `pod`.
 */
export function createKubeletDiscoverer(
  { url, http, refreshMillis }: KubeletSettings,
  context: DiscoveryContext,
): Discoverer {
  const settings = { kind: 'kubelet', url, socketPath: '', refreshMillis, http };
  return createPolledDiscoverer(settings, context, async ({ ask }) => {
    const list = await ask('/pods', [], hints);
    return listAt(mapAt({ list }, 'list'), 'items').map((item) =>
      podGroup(readObject('pods', item), nothingRelated),
    );
  });
}
