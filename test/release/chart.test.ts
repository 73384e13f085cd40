// Tests the chart and the manifests in deploy/: Helm lints and renders them, Kubernetes' types
// parse them, and the rendered programs start. A values file for Parca's chart works, too: all of
// its values are used.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { parseFlags as parseAgentFlags } from '../../cmd/parca-agent/flags.ts';
import { startPublished } from '../support/published-server.ts';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { artefact, run } from './released.ts';

const root = new URL('../../', import.meta.url).pathname;
const chart = artefact(/^parca-\d[\d.]+\.tgz$/);
const scratch = await scratchDirectory();
after(() => scratch.remove());
const values = join(root, 'test/release/parca-values.yaml');

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
}

/** The fields of a resource that are tested. */
interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly {
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

/** Renders the chart, and parses the result as Kubernetes does. */
function render(...args: readonly string[]): { text: string; resources: Resource[] } {
  // Helm assumes an old Kubernetes version unless it is built with its own makefile.
  const cluster = ['--kube-version', '1.31', '--namespace', 'profiling'];
  const text = run(testTool('TEST_HELM'), ['template', 'parca', chart, ...cluster, ...args]);
  return { text, resources: readManifests(text) };
}

function readManifests(text: string): Resource[] {
  const checked = run(testTool('TEST_MANIFESTS'), [], { input: text }).split('\n');
  const resources = parseAllDocuments(text).map((document): Resource => document.toJS());
  const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  assert.deepEqual(checked, names);
  return resources;
}

function findContainer(resources: readonly Resource[], kind: string, name: string): Container {
  const workload = resources.find((one) => one.kind === kind);
  const found = workload?.spec?.template?.spec.containers.find((one) => one.name === name);
  assert.ok(found !== undefined, `${kind} has no container ${name}`);
  return found;
}

function findConfig(resources: readonly Resource[], file: string): string {
  const maps = resources.filter(({ kind }) => kind === 'ConfigMap');
  const text = maps.map(({ data }) => data?.[file]).find((one) => one !== undefined);
  assert.ok(text !== undefined, `no ConfigMap has ${file}`);
  return text;
}

/** Starts the server with the rendered arguments and config. */
async function startRendered(resources: readonly Resource[]): Promise<void> {
  const { args } = findContainer(resources, 'Deployment', 'parca-server');
  const files = { '/var/parca/parca.yaml': findConfig(resources, 'parca.yaml') };
  const own = await scratchDirectory();
  // The port for probes is fixed in the chart, but may be in use here.
  const free = args.map((arg) => (arg === '--ready-address=:7072' ? '--ready-address=:0' : arg));
  const command = { source: 'deploy/helm', program: 'parca' as const, isImage: true, files };
  const server = await startPublished({ ...command, args: free }, own.path);
  assert.equal((await fetch(`http://${server.address}/-/ready`)).status, 200);
  assert.equal(await server.stop(), 0, server.log());
  await own.remove();
}

test('helm lint finds nothing', () => {
  const said = run(testTool('TEST_HELM'), ['lint', '--strict', join(root, 'deploy/helm/parca')]);
  assert.match(said, /1 chart\(s\) linted, 0 chart\(s\) failed/);
});

test('its default values start the server and the agent', async () => {
  const { resources } = render();
  assert.deepEqual(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort(), [
    'ClusterRole parca',
    'ClusterRoleBinding parca',
    'ConfigMap parca-agent-config',
    'ConfigMap parca-server-config',
    'DaemonSet parca-agent',
    'Deployment parca',
    'Service parca-agent',
    'Service parca-server',
    'ServiceAccount parca',
  ]);
  checkAgentRights(resources);
  await startRendered(resources);
  const { args } = findContainer(resources, 'DaemonSet', 'parca-agent');
  const [, address] = /--remote-store-address=(\S+)/.exec(args.join(' ')) ?? [];
  assert.equal(address, 'parca-server.profiling.svc.cluster.local:7070');
  checkAgentArgs(resources);
});

/** Checks that the agent has the rights to read the labels of pods and nodes. */
function checkAgentRights(resources: readonly Resource[]): void {
  const rules = resources.find(({ kind }) => kind === 'ClusterRole')?.rules ?? [];
  const verbs = (resource: string): string[] =>
    rules.flatMap((rule) => (rule.resources.includes(resource) ? rule.verbs : []));
  for (const resource of ['pods', 'nodes']) {
    assert.deepEqual(verbs(resource), ['get', 'list', 'watch'], resource);
  }
  for (const resource of ['replicasets', 'jobs']) {
    assert.deepEqual(verbs(resource), ['get', 'list'], resource);
  }
}

/** Reads the rendered flags and the rendered config as the agent does at its start. */
function checkAgentArgs(resources: readonly Resource[]): void {
  const { args } = findContainer(resources, 'DaemonSet', 'parca-agent');
  assert.equal(args[0], '/bin/parca-agent');
  parse(findConfig(resources, 'parca-agent.yaml'));
  const isFile = (arg: string): boolean => /^--(config-path|.*-file)=/.test(arg);
  parseAgentFlags(
    args.filter((arg) => !isFile(arg)),
    {},
  );
}

test("every value of Parca's chart is known here, and ends where it does there", async () => {
  const ours = parse(readFileSync(join(root, 'deploy/helm/parca/values.yaml'), 'utf8'));
  // Kubernetes has no PodSecurityPolicy since 1.25.
  const gone = new Set(['agent.enablePsp']);
  const theirs = parse(readFileSync(values, 'utf8'));
  assert.deepEqual(
    unknownValues(theirs, ours).filter((path) => !gone.has(path)),
    [],
  );
  const { text, resources } = render('--values', values);
  // Each value appears somewhere in the rendered text.
  const isElsewhere = /^(nameOverride|server\.otlpAddress|agent\.enablePsp)$/;
  for (const [path, value] of leaves(theirs)) {
    if (isElsewhere.test(path) || typeof value === 'boolean') continue;
    assert.ok(text.includes(String(value)), `${path}: ${String(value)} is not rendered`);
  }
  const server = findContainer(resources, 'Deployment', 'parca-server');
  assert.equal(server.image, 'registry.example.org/server:s1');
  assert.ok(server.args.includes('--storage-active-memory=1073741824'), server.args.join(' '));
  await startRendered(resources);
  checkAgentArgs(resources);
});

/**
 * Returns the paths of values that `ours` lacks; a map that is empty in `ours` accepts any name.
 */
function unknownValues(theirs: object, ours: object, at = ''): string[] {
  return Object.entries(theirs).flatMap(([name, value]) => {
    const path = `${at}${name}`;
    const own: unknown = new Map(Object.entries(ours)).get(name);
    if (own === undefined) return [path];
    const isMap = (one: unknown): one is object =>
      typeof one === 'object' && one !== null && !Array.isArray(one);
    if (!isMap(value) || !isMap(own) || Object.keys(own).length === 0) return [];
    // Security contexts, resources and selectors are types of Kubernetes.
    if (/(securityContext|SecurityContext|resources|nodeSelector|\.config)$/.test(path)) return [];
    return unknownValues(value, own, `${path}.`);
  });
}

/** Returns the values that are neither maps nor lists, by path. */
function leaves(value: unknown, at = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[at, value]];
  return Object.entries(value).flatMap(([name, one]) =>
    leaves(one, at === '' ? name : `${at}.${name}`),
  );
}

test('everything that is off by default is valid, too, and promtool reads the rules', () => {
  const on = [
    'server.persistence.enabled=true',
    'server.persistence.retentionSize=40GB',
    'server.persistence.retentionTime=30d',
    'server.persistence.storageClass=fast',
    'server.serviceMonitor.enabled=true',
    'server.serviceMonitor.interval=30s',
    'server.prometheusRule.enabled=true',
    'agent.serviceMonitor.enabled=true',
    'agent.prometheusRule.enabled=true',
    'ingress.enabled=true',
  ];
  const { resources, text } = render(...on.flatMap((one) => ['--set', one]));
  const kinds = new Set(resources.map(({ kind }) => kind));
  for (const kind of ['PersistentVolumeClaim', 'ServiceMonitor', 'PrometheusRule', 'Ingress']) {
    assert.ok(kinds.has(kind), kind);
  }
  assert.match(text, /up\{job="parca-server"\} == 0/);
  assert.match(text, /up\{job="parca-agent"\} == 0/);
  const { args } = findContainer(resources, 'Deployment', 'parca-server');
  assert.ok(args.includes('--storage-retention-size=40GB'));
  assert.ok(args.includes('--storage-retention-time=30d'));
  for (const name of ['alerts.yaml', 'agent-alerts.yaml']) {
    const said = run(testTool('TEST_PROMTOOL'), ['check', 'rules', join(root, 'deploy', name)]);
    assert.match(said, /SUCCESS: \d+ rules found/);
  }
});

test('server and agent can each be left out', () => {
  const renderedKinds = (...args: readonly string[]): Set<string> =>
    new Set(render(...args).resources.map(({ kind }) => kind));
  assert.ok(!renderedKinds('--set', 'agent.enabled=false').has('DaemonSet'));
  assert.ok(!renderedKinds('--set', 'server.enabled=false').has('Deployment'));
});

test('the plain manifests are valid', () => {
  const list = parse(readFileSync(join(root, 'deploy/kustomization.yaml'), 'utf8'));
  assert.deepEqual(list.resources, ['parca-server.yaml', 'parca-agent-daemonset.yaml']);
  const kinds = list.resources.flatMap((name: string) =>
    readManifests(readFileSync(join(root, 'deploy', name), 'utf8')).map(({ kind }) => kind),
  );
  assert.ok(kinds.includes('StatefulSet') && kinds.includes('DaemonSet'), kinds.join(' '));
});
