// Turns this process into one of the project's programs, under the Node that runs TypeScript.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { childEnvironment, root } from './setup.mjs';

const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href;

/**
 * Runs `script`, a path in the checkout. Replaces this process if Node can do that; otherwise stays
 * as a parent that only passes signals on, and without which the program ends.
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
      // At a terminal, the interrupt of Ctrl-C has reached the child already.
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
