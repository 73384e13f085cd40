// The table of what campaigns have done by commit: test/crash/TOTALS.md.

/**
 * The text with the lines of a commit written anew.
 *
 * @param {string} text of the file so far
 * @param {{
 *   commit: string,
 *   date: string,
 *   rows: { name: string, pieces: number, results: (Record<string, number> | null)[] }[],
 * }} totals null stands for a piece that found something
 */
export function mergeTotals(text, { commit, date, rows }) {
  const kept = text.split('\n').filter((line) => line !== '' && !line.includes(`| ${commit} |`));
  const lines = rows
    .filter(({ results }) => results.length > 0)
    .map(({ name, pieces, results }) => {
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
