// Inside a cluster, watches the node and its pods through the API server. If the account may not
// list pods, they are read from the kubelet.
import { Resolver } from 'node:dns/promises';
import { kubeletPollMillis } from '../../agent/limits.ts';
import { listControllers, Pods } from '../../agent/process/pods.ts';
import { errorCode } from '../../src/base/errors.ts';
import { runCommand } from '../../src/base/node/run-command.ts';
import { hostPort } from '../../src/base/text/host-port.ts';
import { watchFolder } from '../../src/base/node/watch-folder.ts';
import { type HttpClientConfig, plainHttpClient } from '../../src/config/config.ts';
import type { DiscoveryContext, TargetGroup } from '../../src/discovery/interface.ts';
import { accountClient } from '../../src/discovery/kubernetes/api-server.ts';
import { createKubeletDiscoverer, kubeletPort } from '../../src/discovery/kubernetes/kubelet.ts';
import { createKubernetesDiscoverer } from '../../src/discovery/kubernetes/kubernetes.ts';
import { Owners } from '../../src/discovery/kubernetes/owners.ts';
import type { KubernetesSettings } from '../../src/discovery/kubernetes/settings.ts';
import type { Machine } from '../machine.ts';

export interface PodsOptions {
  /** Name of the node in the cluster. */
  readonly node: string;
  readonly userAgent: string;
  /** URL of the API server; "" = the cluster of this process. */
  readonly apiServer: string;
  readonly http?: HttpClientConfig;
  readonly kubelet: {
    /** URL as `https://host:port`. */
    readonly url: string;
    readonly http: HttpClientConfig;
  };
}

/** Returns the kubelet of a node; `address` is `host:port`, or "" for the default. */
export function findKubelet(
  node: string,
  address: string,
  insecureSkipVerify: boolean,
): PodsOptions['kubelet'] {
  return {
    url: `https://${address || hostPort(node, kubeletPort)}`,
    http: accountClient(undefined, insecureSkipVerify),
  };
}

/** Watched pods. */
export interface OpenPods {
  readonly pods: Pods;
  stop(): Promise<void>;
}

/**
 * Starts the watches. The node has its own watch, so that an account that may not list nodes still
 * gets the labels of pods.
 */
export function openPods(machine: Machine, options: PodsOptions): OpenPods {
  const { node, userAgent, apiServer, http = plainHttpClient } = options;
  const context = {
    ...machine,
    userAgent,
    watchFolder,
    runCommand,
    environment: process.env,
    createResolver: () => new Resolver(),
  };
  const stopping = new AbortController();
  const createSettings = (role: 'pod' | 'node', field: string): KubernetesSettings => ({
    role,
    apiServer,
    kubeconfig: '',
    http,
    namespaces: [],
    ownNamespace: false,
    selectors: [{ role, label: '', field }],
    attach: { node: false, namespace: false },
  });
  const { signal } = stopping;
  const podSettings = createSettings('pod', `spec.nodeName=${node}`);
  const owners = new Owners(podSettings, context);
  const pods = new Pods((controller) => owners.find(controller));
  const running = [
    watchPods(podSettings, context, { pods, owners, kubelet: options.kubelet, signal }),
    createKubernetesDiscoverer(createSettings('node', `metadata.name=${node}`), context).run(
      signal,
      (groups) => pods.applyNode(groups),
    ),
  ];
  return {
    pods,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      await owners.close();
    },
  };
}

interface WatchedPods {
  readonly pods: Pods;
  readonly owners: Owners;
  readonly kubelet: PodsOptions['kubelet'];
  readonly signal: AbortSignal;
}

/**
 * Watches pods through the API server. While the account lacks permission for this, polls the
 * kubelet instead.
 */
async function watchPods(
  settings: KubernetesSettings,
  context: DiscoveryContext,
  { pods, owners, kubelet, signal }: WatchedPods,
): Promise<void> {
  /**
   * Resolves when the last change has been applied. Changes are applied one after another, because
   * each of them loads owners first.
   */
  let applied: Promise<void> = Promise.resolve();
  const apply = (groups: readonly TargetGroup[], isFirst = false): void => {
    applied = applied.then(async () => {
      await owners.load(listControllers(groups), signal);
      if (isFirst) pods.clear();
      pods.applyPods(groups);
    });
  };
  let polling: { readonly ending: AbortController; readonly ended: Promise<void> } | undefined;
  const startPolling = (error: unknown): void => {
    if (polling !== undefined || errorCode(error) !== 'permission-denied') return;
    context.logger.info('pods come from the kubelet: the API server refuses to list them', {
      url: kubelet.url,
    });
    const ending = new AbortController();
    const discoverer = createKubeletDiscoverer(
      { ...kubelet, refreshMillis: kubeletPollMillis },
      context,
    );
    const ended = discoverer.run(AbortSignal.any([signal, ending.signal]), (groups) => {
      if (!ending.signal.aborted) apply(groups);
    });
    polling = { ending, ended };
  };
  await createKubernetesDiscoverer(settings, context, startPolling).run(signal, (groups) => {
    const last = polling;
    polling = undefined;
    last?.ending.abort();
    apply(groups, last !== undefined);
  });
  await Promise.all([polling?.ended, applied]);
}
