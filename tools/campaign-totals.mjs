// The table of what campaigns have done by commit: test/crash/TOTALS.md.

/**
 * The text with the lines of campaigns written anew, for the commits of what they tested.
 *
 * @param {string} text of the file so far
 * @param {string} date
 * @param {{
 *   name: string, commit: string, pieces: number,
 *   results: (Record<string, number> | null)[],
 * }[]} rows null stands for a piece that found something
 */
export function mergeTotals(text, date, rows) {
  const ran = rows.filter(({ results }) => results.length > 0);
  const keys = ran.map(({ name, commit }) => `| ${commit} | ${name} |`);
  const isOver = (line) => line === '' || keys.some((key) => line.includes(key));
  const kept = text.split('\n').filter((line) => !isOver(line));
  const lines = ran.map(({ name, commit, pieces, results }) => {
    const found = results.filter((result) => result === null).length;
    const done = `${results.length} of ${pieces}`;
    return `| ${[date, commit, name, done, found, countsText(results)].join(' | ')} |`;
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

function countsText(results) {
  const sums = {};
  for (const result of results) {
    for (const [name, count] of Object.entries(result ?? {}))
      sums[name] = (sums[name] ?? 0) + count;
  }
  const entries = Object.entries(sums).filter(([, count]) => count > 0);
  return entries.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ');
}
