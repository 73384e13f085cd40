// Ends this process when the parent that passes signals on is gone: a supervisor or the kernel may
// kill that by SIGKILL, which nobody can pass on. Imported before the program by tools/become.mjs.
import { isMainThread } from 'node:worker_threads';

const parent = Number(process.env['PARCA_PARENT_PID'] ?? 0);
const lookMillis = 500;

if (isMainThread && parent > 0) {
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    // As if the parent had passed on that it was to stop: everything is written first.
    process.kill(process.pid, 'SIGTERM');
  }, lookMillis);
  look.unref();
}
