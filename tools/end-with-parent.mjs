// Ends this process when the parent that forwards signals has ended: a supervisor or the kernel may
// kill the parent with SIGKILL, which the parent cannot forward. tools/become.mjs makes Node import
// this before the program.
import { isMainThread } from 'node:worker_threads';

const parent = Number(process.env['PARCA_PARENT_PID'] ?? 0);
const lookMillis = 500;

if (isMainThread && parent > 0) {
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    // Acts like a forwarded stop signal, so that everything is written first.
    process.kill(process.pid, 'SIGTERM');
  }, lookMillis);
  look.unref();
}
