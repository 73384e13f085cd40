// Makes a file system in an image file. Its power can be cut. Needs root and loop devices.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

export interface DiskKind {
  readonly name: string;
  readonly imageBytes: number;
  readonly makeFilesystem: readonly [program: string, ...options: string[]];
  readonly mountOptions: string;
}

export const diskKinds: readonly DiskKind[] = [
  {
    name: 'ext4',
    imageBytes: 64 * 2 ** 20,
    makeFilesystem: ['mkfs.ext4', '-q', '-F'],
    mountOptions: 'loop',
  },
  {
    // ext4 normally syncs files that are renamed without a sync; this option disables that.
    name: 'ext4 noauto_da_alloc',
    imageBytes: 64 * 2 ** 20,
    makeFilesystem: ['mkfs.ext4', '-q', '-F'],
    mountOptions: 'loop,noauto_da_alloc',
  },
  {
    name: 'xfs',
    // The smallest size that mkfs.xfs accepts. The image is a sparse file.
    imageBytes: 320 * 2 ** 20,
    makeFilesystem: ['mkfs.xfs', '-q', '-f'],
    mountOptions: 'loop',
  },
];

/** FS_IOC_SHUTDOWN with FS_SHUTDOWN_FLAGS_NOLOGFLUSH: bytes that were not synced are lost. */
const shutdownScript =
  'open(F,"<",$ARGV[0]) or die; $flags=pack("I",2); ioctl(F,0x8004587d,$flags) or die $!';

/** A mounted disk. `Symbol.dispose` unmounts it and removes the image. */
export class LoopDisk implements Disposable {
  /** A folder on the disk. */
  readonly storagePath: string;
  /** A file outside the disk. */
  readonly reportPath: string;
  /** Mount point. */
  readonly #path: string;
  readonly #kind: DiskKind;
  readonly #scratch: string;
  readonly #image: string;
  #isMounted = false;
  readonly #cleanUp = (): void => this[Symbol.dispose]();

  /** Errors: an Error that begins with "not run" if this machine cannot make such a disk. */
  constructor(kind: DiskKind) {
    this.#kind = kind;
    this.#scratch = fs.mkdtempSync(join(os.tmpdir(), 'loop-disk-'));
    this.#image = join(this.#scratch, 'image');
    this.#path = join(this.#scratch, 'mount');
    this.storagePath = join(this.#path, 'data');
    this.reportPath = join(this.#scratch, 'report');
    process.once('exit', this.#cleanUp);
    try {
      fs.mkdirSync(this.#path);
      fs.closeSync(fs.openSync(this.#image, 'w'));
      fs.truncateSync(this.#image, kind.imageBytes);
      run(...kind.makeFilesystem, this.#image);
      this.mount();
    } catch (error) {
      this[Symbol.dispose]();
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`not run: cannot make a disk with ${kind.name}: ${why}`, { cause: error });
    }
  }

  mount(): void {
    run('mount', '-o', this.#kind.mountOptions, this.#image, this.#path);
    this.#isMounted = true;
  }

  /** Unmounts the disk; no file on it may be open. */
  unmount(): void {
    run('umount', this.#path);
    this.#isMounted = false;
  }

  /** Cuts the power: every later call fails, and bytes that were not synced are lost. */
  cutPower(): void {
    run('perl', '-e', shutdownScript, this.#path);
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#cleanUp);
    if (this.#isMounted) this.unmount();
    fs.rmSync(this.#scratch, { recursive: true, force: true });
  }
}

function run(program: string, ...programArguments: string[]): void {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
  execFileSync(program, programArguments, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: path },
  });
}
