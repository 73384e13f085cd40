// Lists containerd's containers outside of pods, such as containers started by ctr and nerdctl,
// through containerd's API.
//
// Source: containerd's api/services/{containers,namespaces,events}/v1.
import { AppError, errorCode } from '../../src/base/errors.ts';
import { createServer, type Server } from '../../src/base/node/grpc-client.ts';
import { ProtobufWriter } from '../../src/formats/protobuf-writer.ts';
import { runtimeAnswerBytesMax, runtimeMillisMax } from '../limits.ts';
import { addPairs, type ContainerLabels, type ContainerSource } from './found-container.ts';
import { MessageFields } from './message-fields.ts';

const methods = {
  namespaces: '/containerd.services.namespaces.v1.Namespaces/List',
  containers: '/containerd.services.containers.v1.Containers/List',
  events: '/containerd.services.events.v1.Events/Subscribe',
};
/** Namespaces whose containers are read from CRI or Docker instead. */
const othersNamespaces: ReadonlySet<string> = new Set(['k8s.io', 'moby']);
/** Longest duration of an event subscription, after which the next subscription starts. */
const watchMillisMax = 86_400_000;
const prefix = '__meta_containerd_';

/** Returns a source of the containers of one containerd. */
export function createContainerdSource(socket: string): ContainerSource {
  const servers = new Map<string, Server>();
  const openNamespace = (namespace: string): Server => {
    const known = servers.get(namespace) ?? openSocket(socket, namespace);
    servers.set(namespace, known);
    return known;
  };
  return {
    socket,
    list: async (signal) => {
      const answer = await openNamespace('').call(
        methods.namespaces,
        new Uint8Array(0),
        runtimeMillisMax,
        signal,
      );
      const found = new Map<string, ReadonlyMap<string, string>>();
      for (const one of new MessageFields(answer).messages(1)) {
        const namespace = one.string(1);
        if (othersNamespaces.has(namespace)) continue;
        const server = openNamespace(namespace);
        const list = await server.call(
          methods.containers,
          new Uint8Array(0),
          runtimeMillisMax,
          signal,
        );
        addContainers(found, namespace, list);
      }
      return found;
    },
    watch: async (signal, onChange) => {
      const subscription = new ProtobufWriter();
      const topics = ['create', 'update', 'delete'].map((kind) => `topic=="/containers/${kind}"`);
      for (const topic of topics) subscription.bytesField(1, new TextEncoder().encode(topic));
      const request = subscription.finish().slice();
      for (;;) {
        const messages = oneMessage(request);
        const events = openNamespace('').stream(methods.events, messages, watchMillisMax, signal);
        onChange();
        try {
          for await (const event of events) if (event.length > 0) onChange();
        } catch (error) {
          if (errorCode(error) === 'deadline-exceeded') continue;
          throw error;
        }
        throw new AppError('unavailable', 'cannot watch containers: containerd ended the answer');
      }
    },
    close: () => {
      for (const server of servers.values()) server.close();
    },
  };
}

/** Opens a gRPC connection to a Unix socket. */
export function openSocket(socket: string, containerdNamespace = ''): Server {
  return createServer({
    address: `unix:${socket}`,
    isInsecure: true,
    skipsVerify: false,
    caFile: '',
    clientCertFile: '',
    clientKeyFile: '',
    bearerToken: '',
    bearerTokenFile: '',
    headers: containerdNamespace === '' ? [] : [['containerd-namespace', containerdNamespace]],
    sendBytesMax: runtimeAnswerBytesMax,
    receiveBytesMax: runtimeAnswerBytesMax,
  });
}

async function* oneMessage(message: Uint8Array): AsyncGenerator<Uint8Array> {
  yield message;
}

/**
 * Adds the containers of a response under two names: namespace and path, and the id if it is
 * unique.
 */
function addContainers(
  found: Map<string, ReadonlyMap<string, string>>,
  namespace: string,
  answer: Uint8Array,
): ContainerLabels {
  for (const container of new MessageFields(answer).messages(1)) {
    const id = container.string(1);
    const pairs = container.pairs(2);
    const labels = new Map([
      [`${prefix}container_id`, id],
      // nerdctl sets names of containers; without it, the name is the id.
      [`${prefix}container_name`, pairs.get('nerdctl/name') || id],
      [`${prefix}namespace`, namespace],
      // Parca Agent uses this label for the namespace, too.
      [`${prefix}pod_name`, namespace],
    ]);
    const image = container.string(3);
    if (image !== '') labels.set(`${prefix}container_image`, image);
    addPairs(labels, `${prefix}container_`, 'label', pairs);
    found.set(`${namespace}/${id}`, labels);
    if (/^[0-9a-f]{64}$/.test(id)) found.set(id, labels);
  }
  return found;
}
