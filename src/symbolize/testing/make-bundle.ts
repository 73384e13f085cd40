// Makes a real TypeScript bundle with its source map, and a stack of calls in it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

/**
 * Two modules whose functions call each other and throw. Their strings and comments contain
 * misleading braces.
 */
export const bundleSources = {
  'main.ts': `import { createLedger } from './ledger.ts';

const retries = (count: number): string => {
  const ledger = createLedger({ limit: count });
  return count > 5 ? retries(count - 1) + retries(0) : ledger(count);
};
console.log(retries(3) + String(retries));
`,
  'ledger.ts': `export interface Limits { readonly limit: number }
function unused(text: string): string {
  return text + '}';
}
export function createLedger({ limit }: Limits) {
  const names = [\`\${unused('{')}\`];
  // A brace in a comment: }
  function bookEntry(amount: number): string {
    const describeFailure = (value: number): string =>
      value > 5 ? describeFailure(value - 1) : String(new Error(names[0] + limit + value).stack);
    return amount > 5 ? bookEntry(amount - 1) : describeFailure(amount);
  }
  return bookEntry;
}
`,
};

/** One call of the stack. Lines and columns start at 1. */
export interface BundleFrame {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Builds the sources and runs the bundle. Returns its stack, the innermost call first, and its map.
 */
export async function makeBundle(
  minify: boolean,
): Promise<{ readonly stack: readonly BundleFrame[]; readonly map: string }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bundle-')));
  try {
    for (const [name, text] of Object.entries(bundleSources)) {
      writeFileSync(join(folder, name), text);
    }
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        minify,
        sourcemap: true,
        outDir: 'dist',
        target: 'es2024',
        lib: { entry: 'main.ts', formats: ['es'], fileName: () => 'app.mjs' },
      },
    });
    const script = join(folder, 'dist/app.mjs');
    const stack = execFileSync(process.execPath, [script], { encoding: 'utf8' }).split('\n');
    return {
      stack: stack.filter((line) => line.includes('app.mjs')).map(toFrame),
      map: readFileSync(`${script}.map`, 'utf8'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function toFrame(text: string): BundleFrame {
  const [, name = '', line, column] = /at (?:(\S+) \()?.*:(\d+):(\d+)\)?$/.exec(text) ?? [];
  return { name, line: Number(line), column: Number(column) };
}
