// Replaces this process with one of the project's programs, using the Node that can run TypeScript.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { childEnvironment, root } from './setup.mjs';

const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href;

/**
 * Runs `script`, a path in the checkout. Replaces this process if Node can do that. Otherwise, this
 * process stays as a parent that forwards signals, and the program ends when the parent ends.
 */
export function become(node, script, args) {
  const all = [join(root, script), ...args];
  const environment = childEnvironment(node);
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(node, [node, ...all], environment);
  }
  const child = spawn(node, ['--import', endWithParent, ...all], {
    stdio: 'inherit',
    env: { ...environment, PARCA_PARENT_PID: String(process.pid) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // In a terminal, Ctrl-C has already interrupted the child.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`cannot start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) =>
    process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
  );
}
