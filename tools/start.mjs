// `npm start`: gets what a fresh checkout lacks, then becomes the server.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { childEnvironment, ensureInstalled, ensureWeb, failSetup, root } from './setup.mjs';

let node;
try {
  node = await ensureInstalled({ dev: false });
  await ensureWeb(node);
} catch (error) {
  failSetup(error);
}
become(node, [join(root, 'cmd/parca/main.ts'), ...process.argv.slice(2)]);

/** Replaces this process where Node can; else stays as a parent that only passes signals on. */
function become(program, args) {
  process.chdir(root);
  const environment = childEnvironment(program);
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(program, [program, ...args], environment);
  }
  const child = spawn(program, args, { stdio: 'inherit', env: environment });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // At a terminal, the interrupt of Ctrl-C has reached the child already.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`cannot start ${program}: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) =>
    process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
  );
}
