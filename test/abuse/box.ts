// A Linux control group with a memory limit, in which a server is started.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const groups = '/sys/fs/cgroup';

/** A memory limit; without control groups there is no limit, and `name` says so. */
export interface Box {
  readonly name: string;
  /** Command to put before the command that runs in the box. */
  readonly prefix: readonly string[];
  /** Number of processes that the kernel has killed for lack of memory. */
  kills(): number;
  /** Processes in the box. */
  pids(): number[];
  remove(): void;
}

/** Opens a box with version 1 or 2 of control groups, whichever is writable. */
export function openBox(bytesMax: number): Box {
  const name = `parca-abuse-${process.pid}-${performance.now().toFixed(0)}`;
  for (const { file, limit, events } of versions) {
    for (const parent of listParents(file)) {
      const path = join(parent, name);
      try {
        mkdirSync(path);
      } catch {
        continue;
      }
      try {
        writeFileSync(join(path, limit), String(bytesMax));
        return boxAt(path, `${limit} of ${file === 'memory' ? 'v1' : 'v2'}`, events);
      } catch {
        rmdirSync(path);
      }
    }
  }
  return {
    name: 'none: control groups cannot be written',
    prefix: [],
    kills: () => 0,
    pids: () => [],
    remove: () => undefined,
  };
}

const versions = [
  { file: 'memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { file: '', limit: 'memory.max', events: 'memory.events' },
] as const;

/** Returns folders in which a new group may be created: this process's group, then the root. */
function listParents(controller: string): string[] {
  const root = join(groups, controller);
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
  const own = lines.map((line) => line.split(':')).find(([, names]) => names === controller)?.[2];
  return own === undefined ? [root] : [join(root, own), root];
}

function boxAt(path: string, name: string, events: string): Box {
  const read = (file: string): string => readFileSync(join(path, file), 'utf8');
  return {
    name,
    prefix: ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(path, 'cgroup.procs')],
    kills: () => Number(/^oom_kill (\d+)$/m.exec(read(events))?.[1] ?? 0),
    pids: () => read('cgroup.procs').split('\n').filter(Boolean).map(Number),
    remove: () => rmdirSync(path),
  };
}
