// Watches the pods of this node, and the node, by the API server, in a cluster.
import { Resolver } from 'node:dns/promises';
import { Pods } from '../../agent/process/pods.ts';
import { runCommand } from '../../src/base/node/run-command.ts';
import { watchFolder } from '../../src/base/node/watch-folder.ts';
import { type HttpClientConfig, plainHttpClient } from '../../src/config/config.ts';
import { createKubernetesDiscoverer } from '../../src/discovery/kubernetes/kubernetes.ts';
import type { Machine } from '../machine.ts';
import type { KubernetesSettings } from '../../src/discovery/kubernetes/settings.ts';

export interface PodsOptions {
  /** Name of the node in the cluster. */
  readonly node: string;
  readonly userAgent: string;
  /** Address of the API server; "" = that of the cluster that this process is in. */
  readonly apiServer: string;
  readonly http?: HttpClientConfig;
}

/** Pods that are watched. */
export interface OpenPods {
  readonly pods: Pods;
  stop(): Promise<void>;
}

/**
 * Starts to watch. The watch of the node has its own list: a cluster role that may not list nodes
 * still gets the labels of pods.
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
  const pods = new Pods();
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
  const running = [
    createKubernetesDiscoverer(createSettings('pod', `spec.nodeName=${node}`), context).run(
      signal,
      (groups) => pods.applyPods(groups),
    ),
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
    },
  };
}
