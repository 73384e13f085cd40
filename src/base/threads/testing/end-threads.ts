// A process that ends threads while they compress, and then exits.
//
// Use: node end-threads.ts <threads that are ended> <threads that run at the exit> [profiled]
import { once } from 'node:events';
import { Thread } from '../thread.ts';

const script = new URL('./compressing.ts', import.meta.url);
const [ended, left] = process.argv.slice(2, 4).map(Number);
const isProfiled = process.argv[4] === 'profiled';

async function begin(): Promise<Thread> {
  const thread = new Thread(script, { name: 'compressing' });
  await once(thread, 'message');
  if (isProfiled) await thread.startCpuProfile();
  return thread;
}

for (let i = 0; i < ended; i += 1) await (await begin()).terminate();
for (let i = 0; i < left; i += 1) await begin();
process.exit(0);
