// Creates version 2 control groups for tests, if their file system is mounted.
import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Returns the paths at which file systems of a type are mounted, from /proc/mounts. */
function findMounts(type: string): readonly string[] {
  const lines = readFileSync('/proc/mounts', 'utf8').split('\n');
  return lines
    .map((line) => line.split(' '))
    .flatMap((words) => (words[2] === type ? words[1] : []));
}

/** A version 2 control group at the top of the hierarchy, for a single test. */
export class TestGroup {
  readonly path: string;

  constructor(name: string) {
    const [top] = findMounts('cgroup2');
    if (top === undefined) throw new Error('no control groups of version 2 are mounted');
    this.path = join(top, name);
    mkdirSync(this.path);
  }

  /** Id of the group in the kernel. */
  get id(): bigint {
    return statSync(this.path, { bigint: true }).ino;
  }

  /** Moves a process to this group, and to the top of all version 1 hierarchies. */
  add(pid: number): void {
    for (const folder of [this.path, ...findMounts('cgroup')]) {
      writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    }
  }

  /** Removes the group after its processes have ended. */
  async remove(): Promise<void> {
    for (let left = 100; ; left -= 1) {
      try {
        rmdirSync(this.path);
        return;
      } catch (error) {
        if (left === 0) throw error;
        await setTimeout(50);
      }
    }
  }
}
