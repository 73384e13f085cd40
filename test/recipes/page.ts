// Reads the recipes in docs/instrument.md and docs/push.md, so that tests run exactly what is
// published.
import { readFileSync } from 'node:fs';

const docs = new URL('../../docs/', import.meta.url);
const instrument = 'instrument.md';

/** Returns the code blocks in one language below a heading, such as `## Go`, in order. */
function blocksBelow(heading: string, language: string, page: string): string[] {
  const all = [...sectionBelow(heading, page).matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return all.filter(([, one]) => one === language).map(([, , code]) => code);
}

/** Returns the only block in the language below the heading. */
export function blockBelow(heading: string, language: string, page = instrument): string {
  const blocks = blocksBelow(heading, language, page);
  if (blocks.length === 1) return blocks[0];
  throw new Error(`${heading} has ${blocks.length} blocks of ${language}, not one`);
}

/** Returns the commands below a heading, which are the indented lines outside code blocks. */
export function commandsBelow(heading: string): string[] {
  const plain = sectionBelow(heading).replaceAll(/^```.*?^```$/gms, '');
  return Array.from(plain.matchAll(/^ {4}(\S.*)$/gm), ([, command]) => command);
}

/** Returns the text between a heading and the next heading of any level. */
export function sectionBelow(heading: string, page = instrument): string {
  const text = readFileSync(new URL(page, docs), 'utf8');
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`docs/${page} has no heading ${heading}`);
  const rest = text.slice(start + heading.length + 2);
  const end = rest.search(/^##/m);
  return end < 0 ? rest : rest.slice(0, end);
}
