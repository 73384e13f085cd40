// Kubernetes API server for `pods.bench.ts`, in a separate thread. Its pods appear, change three
// times, and disappear.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { pods, seconds } = workerData as { readonly pods: number; readonly seconds: number };
const ticksPerSecond = 20;
/** Ticks between two events of a pod. With this spacing, a pod exists for about half of the run. */
const stepTicks = (seconds * ticksPerSecond) / 8;

/** Creates a pod as an API server would return it, including fields that discovery ignores. */
function pod(i: number, step: number): object {
  const environment = Array.from({ length: 30 }, (_, j) => ({
    name: `VARIABLE_${j}`,
    value: `value-${j}`,
  }));
  const volumes = Array.from({ length: 6 }, (_, j) => ({
    name: `volume-${j}`,
    mountPath: `/var/lib/v${j}`,
  }));
  return {
    metadata: {
      name: `pod-${i}`,
      namespace: `shop-${i % 50}`,
      uid: `uid-${i}`,
      resourceVersion: String(1_000 + i * 4 + step),
      labels: { app: `app-${i % 200}`, 'pod-template-hash': 'abc' },
      annotations: {
        'parca.dev/scrape': i % 20 === 0 ? 'true' : 'false',
        checksum: 'x'.repeat(64),
      },
      ownerReferences: [{ kind: 'ReplicaSet', name: `app-${i % 200}-abc`, controller: true }],
    },
    spec: {
      nodeName: `node-${i % 300}`,
      volumes,
      containers: [
        {
          name: 'main',
          image: 'registry.example.org/team/app:1.2.3',
          env: environment,
          volumeMounts: volumes,
          resources: { limits: { cpu: '1', memory: '1Gi' } },
          ports: [{ name: 'pprof', containerPort: 6_060, protocol: 'TCP' }],
          livenessProbe: { httpGet: { path: '/healthz', port: 6_060 }, periodSeconds: 10 },
        },
      ],
    },
    status: {
      phase: step === 0 ? 'Pending' : 'Running',
      ...(step === 0 ? {} : { podIP: `127.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}` }),
      hostIP: '10.0.0.1',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: step === 2 ? 'True' : 'False',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
      containerStatuses: [{ name: 'main', containerID: `containerd://${i}`, ready: step === 2 }],
    },
  };
}

const types = ['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED'];
const server = createServer((request, response) => {
  if (request.url?.includes('watch=1') !== true) {
    response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] }));
    return;
  }
  let [tick, bytes, events] = [0, 0, 0];
  const perTick = pods / (seconds * ticksPerSecond);
  const timer = setInterval(() => {
    for (const [step, type] of types.entries()) {
      const at = tick - step * stepTicks;
      for (let i = Math.round(at * perTick); i < Math.round((at + 1) * perTick); i += 1) {
        if (i < 0 || i >= pods) continue;
        const line = `${JSON.stringify({ type, object: pod(i, Math.min(step, 2)) })}\n`;
        bytes += line.length;
        events += 1;
        response.write(line);
      }
    }
    tick += 1;
    if (events < pods * types.length) return;
    clearInterval(timer);
    parentPort?.postMessage({ events, bytes });
  }, 1_000 / ticksPerSecond);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  parentPort?.postMessage({ port: typeof address === 'object' ? address?.port : 0 });
});
