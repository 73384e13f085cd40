// Entry point of the agent. It restarts itself with only the capabilities that it needs, and with
// settings that save memory.
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { keptCapabilities } from '../../agent/privileges.ts';
import { confine, limitCapabilities } from '../../bpf/index.ts';
import { errorMessage } from '../../src/base/errors.ts';
import {
  beginWith,
  collectEarly,
  keepSemiSpaceSmall,
  smallAllocator,
} from '../../src/base/node/memory.ts';

const begun = 'PARCA_AGENT_BEGUN';
if (process.env[begun] === undefined && process.geteuid?.() === 0) dropCapabilities();
beginWith({
  [begun]: '1',
  ...smallAllocator(),
  // Servers may have certificates from the system's authorities.
  NODE_USE_SYSTEM_CA: '1',
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile'),
});
keepSemiSpaceSmall();
collectEarly();
const { run } = await import('./run.ts');
// Once loaded, the TypeScript compiler takes 20 MB until the process ends. After the first start,
// compiled code is cached, so the compiler is not needed.
if (hasCompiled()) {
  flushCompileCache();
  beginWith({ PARCA_AGENT_COMPILED: '1' });
}
if (!process.argv.some((word) => word === '--help' || word === '--version')) confineAll();
await run(process.argv.slice(2));

/** Drops capabilities; this takes effect at the next exec. */
function dropCapabilities(): void {
  try {
    limitCapabilities(keptCapabilities(process.argv));
  } catch (error) {
    // Either the add-on is missing, which the sampler will report, or a container runs with few
    // capabilities.
    process.stderr.write(`parca-agent: capabilities are not dropped: ${errorMessage(error)}\n`);
  }
}

/** Forbids system calls that the agent never makes. After that, the agent cannot start programs. */
function confineAll(): void {
  try {
    confine();
  } catch (error) {
    // Either the add-on is missing, which the sampler will report, or the kernel does not support
    // filters of system calls.
    process.stderr.write(`parca-agent: system calls are not limited: ${errorMessage(error)}\n`);
  }
}

function hasCompiled(): boolean {
  const { moduleLoadList } = process as { readonly moduleLoadList?: readonly string[] };
  return moduleLoadList?.some((name) => name.includes('deps/amaro')) === true;
}
