// Bundles the page, its workers and its styles in a single HTML file that can be opened from disk.
import { type Plugin, build } from 'vite';
import { inBrowser } from './in-browser.ts';

/** Placeholder in the page for the data of a view. */
const place = '<!-- data -->';

/**
 * Content security policy that allows only the content of the file, so that it cannot send
 * anything.
 */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'worker-src blob:',
  'img-src data: blob:',
].join('; ');

const workerCall =
  /new Worker\(\s*new URL\('([^']+)', import\.meta\.url\),\s*\{\s*type: 'module',?\s*\},?\s*\)/g;

/** Builds a worker as a single script. */
async function workerScript(path: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [inBrowser()],
    build: {
      write: false,
      target: 'es2024',
      lib: { entry: path, formats: ['iife'], name: 'worker' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs.flatMap((one) => ('output' in one ? one.output : []));
  const [script] = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? [chunk.code] : []));
  return script;
}

/**
 * Escapes strings that would end a script in HTML or change how it is parsed; only string literals
 * contain them.
 */
function inlined(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

/** Inlines workers and bundles all scripts in one file. */
export function oneFile(): Plugin {
  const prefix = '\0worker:';
  return {
    name: 'one-file',
    enforce: 'pre',
    async transform(code, importer) {
      // The page of the server links its styles instead.
      if (importer.endsWith('/src/main.tsx')) {
        return { code: `import './styles/app.css';\n${code}`, map: null };
      }
      if (!code.includes('new Worker(')) return null;
      const imports: string[] = [];
      let number = 0;
      let changed = code;
      for (const [call, path] of code.matchAll(workerCall)) {
        const found = await this.resolve(path, importer);
        if (found === null) this.error(`there is no worker ${path}`);
        const name = `workerAddress${number}`;
        number += 1;
        imports.push(`import ${name} from ${JSON.stringify(prefix + found.id)};`);
        changed = changed.replace(call, () => `new Worker(${name})`);
      }
      return { code: `${imports.join('\n')}\n${changed}`, map: null };
    },
    resolveId: (id) => (id.startsWith(prefix) ? id : null),
    async load(id) {
      if (!id.startsWith(prefix)) return null;
      const script = JSON.stringify(await workerScript(id.slice(prefix.length)));
      return `export default URL.createObjectURL(new Blob([${script}], { type: 'text/javascript' }));`;
    },
    generateBundle: {
      // Runs after the styles have been generated.
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const script = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
        const style = files.flatMap((file) =>
          file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
        );
        for (const name of Object.keys(bundle)) delete bundle[name];
        const source = [
          '<!doctype html><html lang="en"><head><meta charset="utf-8" /><title>Parca</title>',
          '<meta name="viewport" content="width=device-width, initial-scale=1" />',
          '<meta name="color-scheme" content="light dark" />',
          `<meta http-equiv="content-security-policy" content="${policy}" />`,
          `<style>${style.join('\n')}</style></head><body><div id="app"></div>`,
          place,
          `<script>${inlined(script.join('\n'))}</script></body></html>`,
        ].join('\n');
        this.emitFile({ type: 'asset', fileName: 'offline.html', source });
      },
    },
  };
}
