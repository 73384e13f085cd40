// Reads a process's systemd unit, container and pod from its cgroup path.

/** One line of /proc/PID/cgroup. */
export interface CgroupLine {
  /** Empty for cgroup version 2 (unified hierarchy). */
  readonly controllers: readonly string[];
  readonly path: string;
}

/** A systemd unit; "" = none. */
export interface SystemdUnit {
  readonly unit: string;
  readonly slice: string;
  /** Unit of a user's own systemd instance, below `user@1000.service`. */
  readonly userUnit: string;
}

/** Kind of container runtime. */
export type ContainerRuntime =
  | 'kubernetes'
  | 'docker'
  | 'docker_build_kit'
  | 'containerd'
  | 'podman'
  | 'crio'
  | 'nspawn'
  | 'nomad'
  | 'lxc';

/** A container, as found in a path. */
export interface Container {
  readonly runtime: ContainerRuntime;
  readonly id: string;
  /** Pod id; "" outside Kubernetes. */
  readonly podUid: string;
}

/** Parses /proc/PID/cgroup; ignores malformed lines. */
export function parseCgroup(text: string): readonly CgroupLine[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\d+:([^:]*):(\/.*)$/.exec(line);
    if (match === null) return [];
    return [{ controllers: match[1].split(',').filter((name) => name !== ''), path: match[2] }];
  });
}

/**
 * Returns true if the version 2 cgroup alone identifies the container of a process. Otherwise,
 * processes of the same group may be in different version 1 containers.
 */
export function isInUnifiedGroup(lines: readonly CgroupLine[]): boolean {
  return (
    lines.some(({ controllers, path }) => controllers.length === 0 && path !== '/') &&
    lines.every(({ controllers, path }) => controllers.length === 0 || path === '/')
  );
}

/**
 * Returns the path for the label `__meta_process_cgroup`: the only path, or the path of the first
 * version 1 hierarchy with `cpu`, or the first path below system.slice or user.slice, or systemd's
 * path. Source: Parca Agent.
 */
export function mainCgroupPath(lines: readonly CgroupLine[]): string {
  const [first] = lines;
  if (first === undefined) return '';
  if (lines.length === 1) return first.path;
  const line =
    lines.find(({ controllers }) => controllers.includes('cpu')) ??
    lines.find(({ path }) => /^\/(system|user)\.slice\//.test(path)) ??
    lines.find(isSystemd) ??
    first;
  return line.path;
}

/**
 * Returns the systemd unit of the process, from either hierarchy. A container's scope does not
 * count, because its name is the container's id.
 */
export function systemdUnit(lines: readonly CgroupLine[]): SystemdUnit {
  const candidates = [
    ...lines.filter(isSystemd),
    ...lines.filter(({ controllers }) => controllers.length === 0),
  ];
  for (const { path } of candidates) {
    const found = unitOfPath(path);
    if (found !== undefined) return found;
  }
  return { unit: '', slice: '', userUnit: '' };
}

/** Returns the container of the process, from the first line with a container. */
export function findContainer(lines: readonly CgroupLine[]): Container | undefined {
  for (const { path } of lines) {
    for (const { runtime, form } of containerForms) {
      const match = form.exec(path);
      if (match === null) continue;
      const { id, name, pod } = match.groups ?? {};
      const known = runtime === 'nspawn' ? unescapeUnit(id ?? name) : id;
      return { runtime, id: known, podUid: pod?.replaceAll('_', '-') ?? '' };
    }
  }
  return undefined;
}

/**
 * Returns the id of the user whose systemd instance runs the process; undefined for the system's
 * instance and for root.
 */
export function findUserId(lines: readonly Pick<CgroupLine, 'path'>[]): number | undefined {
  for (const { path } of lines) {
    const id = Number(
      /^\/user\.slice\/user-\d+\.slice\/user@(\d{1,10})\.service\//.exec(path)?.[1],
    );
    if (id > 0) return id;
  }
  return undefined;
}

/** Returns the paths that may belong to containerd containers, each as `namespace/name`. */
export function containerdPaths(lines: readonly CgroupLine[]): readonly string[] {
  const found = lines.flatMap(({ path }) => /^\/([\w.-]+\/[\w.-]+)(?:\/|$)/.exec(path)?.[1] ?? []);
  return [...new Set(found)];
}

const hexId = '[0-9a-f]{64}';
/**
 * Runtime name before an id. The name of its monitor (conmon) does not match, because the monitor
 * runs outside the container.
 */
const prefix = '(?:(?!(?:[a-z]+-)?conmon-)[a-z-]+-)?';
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/**
 * Patterns of container paths; the first match is used. Source: paths of the kubelet's two cgroup
 * drivers and of the runtimes.
 */
const containerForms: readonly { readonly runtime: ContainerRuntime; readonly form: RegExp }[] = [
  {
    runtime: 'kubernetes',
    form: new RegExp(`/kubepods[^/]*(?:/[^/]+)*/pod(?<pod>[^/]+)/${prefix}(?<id>${hexId})(?:/|$)`),
  },
  {
    runtime: 'kubernetes',
    form: new RegExp(`-pod(?<pod>[^/.]+)\\.slice/${prefix}(?<id>${hexId})(?:\\.scope)?(?:/|$)`),
  },
  {
    runtime: 'kubernetes',
    form: new RegExp(`-pod(?<pod>[^/.]+)\\.slice:[a-z-]+:(?<id>${hexId})$`),
  },
  { runtime: 'docker_build_kit', form: /\/docker\/buildkit\/(?<id>[0-9a-z]+)(?:\/|$)/ },
  // ECS on EC2, and on Fargate, where containers are named by task and number.
  {
    runtime: 'docker',
    form: new RegExp(`/ecs/(?:[^/]+/){1,2}(?:docker-)?(?<id>${hexId})(?:\\.scope)?(?:/|$)`),
  },
  {
    runtime: 'docker',
    form: /\/ecs\/(?:[^/]+\/){1,2}(?<id>[0-9a-f]{32}-\d{8,12})(?:\/|$)/,
  },
  { runtime: 'docker', form: new RegExp(`/docker[-/](?<id>${hexId})(?:\\.scope)?(?:/|$)`) },
  { runtime: 'podman', form: new RegExp(`/libpod-(?<id>${hexId})(?:\\.scope)?(?:/|$)`) },
  { runtime: 'crio', form: new RegExp(`/crio-(?<id>${hexId})(?:\\.scope)?(?:/|$)`) },
  {
    runtime: 'crio',
    form: new RegExp(`/[\\w.-]+\\.slice:crio:(?<id>${hexId})$`),
  },
  { runtime: 'lxc', form: /\/lxc(?:\.payload\.|\.payload\/|\/)(?<id>[^/]+)/ },
  {
    runtime: 'nspawn',
    form: /\/machine\.slice\/(?:systemd-nspawn@(?<id>[^/]+)\.service|machine-(?!qemu|lxc|libvirt)(?<name>[^/]+)\.scope)(?:\/|$)/,
  },
  // Nomad's exec and java drivers: allocation and task name.
  {
    runtime: 'nomad',
    form: new RegExp(`/nomad(?:\\.slice)?/(?:[^/]+/)*(?<id>${uuid})\\.[^/]+?(?:\\.scope)?(?:/|$)`),
  },
  {
    runtime: 'containerd',
    form: new RegExp(`/(?:nerdctl|cri-containerd|containerd)-(?<id>${hexId})\\.scope`),
  },
  { runtime: 'containerd', form: /\/[\w.-]+\.slice:(?:cri-)?containerd:(?<id>[\w.-]+)$/ },
  { runtime: 'containerd', form: new RegExp(`^/[\\w.-]+/(?<id>${hexId})(?:/|$)`) },
];

/** Decodes systemd's escapes in unit names: `\x2d` is a minus sign. */
function unescapeUnit(name: string): string {
  return name.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function isSystemd({ controllers }: CgroupLine): boolean {
  return controllers.includes('name=systemd');
}

function unitOfPath(path: string): SystemdUnit | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const isUnit = (part: string): boolean => /\.(service|scope|socket|mount|swap)$/.test(part);
  const at = parts.findIndex(isUnit);
  const slices = (at === -1 ? parts : parts.slice(0, at)).filter((part) => part.endsWith('.slice'));
  const slice = slices.at(-1) ?? '';
  if (at === -1) return slice === '' ? undefined : { unit: '', slice, userUnit: '' };
  if (findContainer([{ controllers: [], path }]) !== undefined) {
    return { unit: '', slice, userUnit: '' };
  }
  const isUserManager = /^user@\d+\.service$/.test(parts[at]);
  const userUnit = isUserManager ? (parts.slice(at + 1).find(isUnit) ?? '') : '';
  return { unit: parts[at], slice, userUnit };
}
