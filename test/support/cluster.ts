// Makes a fake cluster for tests of the agent: fast timers, a login for the fake API server, a pod.
import type { Clock } from '../../src/base/clock.ts';
import { type HttpClientConfig, plainHttpClient } from '../../src/config/config.ts';
import type { ApiObject } from '../../src/discovery/fake/kubernetes-api.ts';
import { createMachine, type Machine } from '../../cmd/machine.ts';

/** Creates a machine whose timers take a twentieth of the usual time. */
export function createFastMachine(): Machine {
  const real = createMachine(
    { logLevel: 'error', logFormat: 'logfmt' },
    { version: '1', commit: '' },
  );
  const { clock } = real;
  const setTimer: Clock['setTimer'] = (millis, fire) => clock.setTimer(millis / 20, fire);
  return { ...real, clock: { ...clock, setTimer } };
}

/** Client that the fake API server accepts. */
export const tokenClient: HttpClientConfig = {
  ...plainHttpClient,
  credentials: { kind: 'token', type: 'Bearer', token: { kind: 'inline', text: 'secret' } },
};

/** Returns a pod of node n1 that runs a container of containerd. */
export function runningPod(metadata: object & { readonly name: string }, id: string): ApiObject {
  return {
    metadata: { namespace: 'shop', ...metadata },
    spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'web:1' }] },
    status: {
      phase: 'Running',
      podIP: '10.0.0.1',
      hostIP: '10.0.0.9',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ name: 'main', containerID: `containerd://${id}` }],
    },
  };
}
