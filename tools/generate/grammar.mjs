// Generates src/promql-like/gen/ from the grammars in src/promql-like/; with --check, only reports
// whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { buildParserFile } from '@lezer/generator';

const folder = new URL('../../src/promql-like/', import.meta.url);

const stale = [];
for (const language of ['query', 'expression']) {
  const fileName = `${language}.grammar`;
  const { parser, terms } = buildParserFile(readFileSync(new URL(fileName, folder), 'utf8'), {
    fileName,
    typeScript: true,
    moduleStyle: 'es',
    warn: (message) => {
      throw new Error(message);
    },
  });
  for (const [name, content] of [
    [`gen/${language}.ts`, parser],
    [`gen/${language}.terms.ts`, terms],
  ]) {
    const file = new URL(name, folder);
    if (readIfThere(file) === content) continue;
    stale.push(name);
    if (!process.argv.includes('--check')) writeFileSync(file, content);
  }
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}; run: npm run generate`);
  process.exitCode = 1;
}

/** Returns the content of a file; "" if it does not exist. */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
