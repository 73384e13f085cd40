// Checks the rules of docs/alerts.md with the command that it recommends.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { runParcatool } from '../../../test/support/parcatool.ts';

const page = await readFile(new URL('../../../docs/alerts.md', import.meta.url), 'utf8');
const folder = await mkdtemp(join(tmpdir(), 'documented-rules-'));
after(() => rm(folder, { recursive: true }));

/** Returns the expressions of a section: indented blocks, without comments. */
function expressionsOf(title: string): string[] {
  const [, section] = page.split(`${title}\n`);
  assert.ok(section !== undefined, title);
  const [text] = section.split(/^#{2,3} /m);
  return text
    .split(/\n\n/)
    .map((block) => block.replace(/^\n/, ''))
    .filter((block) => block.startsWith('    '))
    .map((block) => block.replaceAll(/^ *#.*$/gm, '').trim());
}

async function check(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  const { code, out, err } = await runParcatool('rules', 'check', file);
  assert.equal(code, 0, out + err);
  return out.replace(folder, '');
}

test('the five rules for the first day are correct', async () => {
  const rules = expressionsOf('### Five rules for the first day').map((expr, i) => ({
    alert: `FirstDay${i + 1}`,
    expr,
  }));
  assert.equal(rules.length, 5);
  assert.match(
    await check('five.yml', stringify({ groups: [{ name: 'five', rules }] })),
    /5 rules/,
  );
});

test('the rule file at the beginning is correct, and one with a mistake is not', async () => {
  const [, indented] = /# rules\/cpu\.yml\n((?: {4}.*\n)+)/.exec(page) ?? [];
  const text = indented.replaceAll(/^ {4}/gm, '');
  assert.match(await check('cpu.yml', text), /1 rule/);
  const file = join(folder, 'wrong.yml');
  await writeFile(file, text.replace('| by (job) [1h]', '| bye (job) [1h]'));
  assert.equal((await runParcatool('rules', 'check', file)).code, 1);
});
