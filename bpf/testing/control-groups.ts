// Control groups of version 2 for tests, where the kernel has them mounted.
import { mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Mounts of /proc/mounts by type. */
function findMounts(type: string): readonly string[] {
  const lines = readFileSync('/proc/mounts', 'utf8').split('\n');
  return lines
    .map((line) => line.split(' '))
    .flatMap((words) => (words[2] === type ? words[1] : []));
}

/** A version 2 control group for this test only, at the top of the hierarchy. */
export class TestGroup {
  readonly path: string;

  constructor(name: string) {
    const [top] = findMounts('cgroup2');
    if (top === undefined) throw new Error('no control groups of version 2 are mounted');
    this.path = join(top, name);
    mkdirSync(this.path);
  }

  /** The kernel's id. */
  get id(): bigint {
    return statSync(this.path, { bigint: true }).ino;
  }

  /** Moves a process here, and to the top of all hierarchies of version 1. */
  add(pid: number): void {
    for (const folder of [this.path, ...findMounts('cgroup')]) {
      writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    }
  }

  /** Removes the group once its processes have ended. */
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
