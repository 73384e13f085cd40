// Makes src/promql-like/gen/ from query.grammar; with --check only says whether it is fresh.
import { readFileSync, writeFileSync } from 'node:fs';
import { buildParserFile } from '@lezer/generator';

const folder = new URL('../../src/promql-like/', import.meta.url);
const grammar = readFileSync(new URL('query.grammar', folder), 'utf8');
const { parser, terms } = buildParserFile(grammar, {
  fileName: 'query.grammar',
  typeScript: true,
  moduleStyle: 'es',
  warn: (message) => {
    throw new Error(message);
  },
});

const stale = [];
for (const [name, content] of [
  ['gen/query.ts', parser],
  ['gen/query.terms.ts', terms],
]) {
  const file = new URL(name, folder);
  if (readIfThere(file) === content) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(file, content);
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}; run: npm run generate`);
  process.exitCode = 1;
}

/** Returns the content of a file, "" if there is none. */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
