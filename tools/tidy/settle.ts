// `node tools/tidy/settle.ts [folder]`: removes fixed debts from debts.ts and prints the others.
import { readFileSync, writeFileSync } from 'node:fs';
import { findAll, isDebt, stripLine } from './check.ts';
import { debts } from './debts.ts';
import { sourceFiles } from './files.ts';

const root = new URL('../..', import.meta.url).pathname;
const list = new URL('debts.ts', import.meta.url);
const folder = process.argv[2] ?? '';
const owed = findAll(sourceFiles(root)).filter(isDebt);

const lines = readFileSync(list, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [path, ...rules] = line.split(' ');
    if (!debts.some((debt) => debt.path === path)) return [line];
    const left = rules.filter((rule) =>
      owed.some((found) => found.rule === rule && stripLine(found.place) === path),
    );
    return left.length === 0 ? [] : [[path, ...left].join(' ')];
  });
writeFileSync(list, lines.join('\n'));

for (const { place, message } of owed) {
  if (place.startsWith(folder)) console.log(`${place}: ${message}`);
}
console.log(
  `${owed.length} places of ${new Set(owed.map(({ place }) => stripLine(place))).size} files`,
);
