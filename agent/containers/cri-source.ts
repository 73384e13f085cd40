// Containers of pods, from the CRI API of the kubelet: containerd, CRI-O and cri-dockerd.
//
// Source: k8s.io/cri-api, runtime/v1/api.proto.
import { runtimeMillisMax } from '../limits.ts';
import { openSocket } from './containerd-source.ts';
import { addPairs, type ContainerSource, type Pairs } from './found-container.ts';
import { MessageFields } from './message-fields.ts';

const service = '/runtime.v1.RuntimeService';
const prefix = '__meta_kubernetes_';

/** Returns a source of the containers of pods in one runtime. `node` is the name of this node. */
export function createCriSource(socket: string, node: string): ContainerSource {
  const server = openSocket(socket);
  const ask = async (method: string, signal: AbortSignal): Promise<MessageFields> =>
    new MessageFields(
      await server.call(`${service}/${method}`, new Uint8Array(0), runtimeMillisMax, signal),
    );
  return {
    socket,
    list: async (signal) => {
      const [pods, containers] = await Promise.all([
        ask('ListPodSandbox', signal),
        ask('ListContainers', signal),
      ]);
      const byId = new Map(pods.messages(1).map((pod) => [pod.string(1), pod]));
      return new Map(
        containers.messages(1).flatMap((container) => {
          const pod = byId.get(container.string(2));
          const id = container.string(1);
          return pod === undefined ? [] : [[id, containerLabels(pod, container, node)]];
        }),
      );
    },
    close: () => server.close(),
  };
}

function containerLabels(pod: MessageFields, container: MessageFields, node: string): Pairs {
  const of = pod.message(2);
  const image = container.message(4);
  const labels = new Map<string, string>();
  const named: readonly (readonly [name: string, value: string])[] = [
    ['namespace', of.string(3)],
    ['pod_name', of.string(1)],
    ['pod_uid', of.string(2)],
    ['pod_node_name', node],
    ['node_name', node],
    ['pod_container_id', container.string(1)],
    ['pod_container_name', container.message(3).string(1)],
    // Image name as in the pod; a runtime may list a digest instead.
    ['pod_container_image', image.string(18) || image.string(1)],
  ];
  for (const [name, value] of named) if (value !== '') labels.set(prefix + name, value);
  // The kubelet adds these annotations to the pod's annotations.
  const own = [...pod.pairs(5)].filter(
    ([name]) => !/^io\.kubernetes\.(?:pod|container)\./.test(name),
  );
  addPairs(labels, `${prefix}pod_`, 'label', new Map(own));
  addPairs(labels, `${prefix}pod_`, 'annotation', pod.pairs(6));
  return labels;
}
