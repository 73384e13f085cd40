// The table of what campaigns have done, by what they tested: test/crash/TOTALS.md.

/**
 * The text with the lines of campaigns written anew, for the versions of what they tested.
 *
 * @param {string} text of the file so far
 * @param {string} date
 * @param {{
 *   name: string, version: string, pieces: number,
 *   results: Record<number, Record<string, number> | null>,
 * }[]} rows results by number of the piece, from 0; null stands for one that found something
 */
export function mergeTotals(text, date, rows) {
  const ran = rows.filter(({ results }) => Object.keys(results).length > 0);
  const keys = ran.map(keyOf);
  const isOver = (line) => line === '' || keys.some((key) => line.includes(key));
  const kept = text.split('\n').filter((line) => !isOver(line));
  const lines = ran.map(({ name, version, pieces, results }) => {
    const done = `${rangesText(numbersOf(results, () => true))} of ${pieces}`;
    const found = rangesText(numbersOf(results, (result) => result === null)) || 'none';
    return `| ${[date, version, name, done, found, countsText(Object.values(results))].join(' | ')} |`;
  });
  const table = kept.findIndex((line) => line.startsWith('| ---'));
  const head = kept.slice(0, table + 1);
  const [title, ...rest] = head;
  const blocks = [
    title,
    '',
    ...rest.flatMap((line) => (line.startsWith('| date') ? ['', line] : [line])),
  ];
  return `${[...blocks, ...kept.slice(table + 1), ...lines].join('\n')}\n`;
}

/**
 * The results that a line of the text tells, to go on with on another machine: all counts are with
 * the first piece that found nothing.
 *
 * @param {string} text of the file
 * @param {{ name: string, version: string }} row
 * @returns {Record<number, Record<string, number> | null>} empty without such a line
 */
export function readTotals(text, row) {
  const line = text.split('\n').find((candidate) => candidate.includes(keyOf(row)));
  if (line === undefined) return {};
  const [done, found, counts] = line
    .split('|')
    .slice(4)
    .map((cell) => cell.trim());
  const results = Object.fromEntries(readRanges(done).map((number) => [number, {}]));
  for (const number of readRanges(found)) results[number] = null;
  const first = Object.keys(results).find((number) => results[number] !== null);
  if (first === undefined) return results;
  for (const [, count, name] of counts.matchAll(/(\d[\d,]*) ([a-z]\w*)/gi)) {
    results[first][name] = Number(count.replaceAll(',', ''));
  }
  return results;
}

function keyOf({ version, name }) {
  return `| ${version} | ${name} |`;
}

function numbersOf(results, isWanted) {
  const wanted = Object.entries(results).filter(([, result]) => isWanted(result));
  return wanted.map(([number]) => Number(number)).sort((a, b) => a - b);
}

/** Counted from 1, as people read it: `1-3, 7`. */
function rangesText(numbers) {
  const ranges = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.end === number) last.end += 1;
    else ranges.push({ start: number, end: number + 1 });
  }
  const texts = ranges.map(({ start, end }) =>
    end - start > 1 ? `${start + 1}-${end}` : `${end}`,
  );
  return texts.join(', ');
}

/** Numbers from 0. */
function readRanges(text) {
  const ranges = text.replace(/ of .*/, '').matchAll(/(\d+)(?:-(\d+))?/g);
  return [...ranges].flatMap(([, first, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, i) => Number(first) - 1 + i),
  );
}

function countsText(results) {
  const sums = {};
  for (const result of results) {
    for (const [name, count] of Object.entries(result ?? {}))
      sums[name] = (sums[name] ?? 0) + count;
  }
  const entries = Object.entries(sums).filter(([, count]) => count > 0);
  return entries.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ');
}
