// Lists the built files that a visitor needs before the first graph: the page, its scripts and
// styles, and the tree worker. Chunks that are imported later do not count.

/** Returns paths relative to dist. `list` returns the names in a folder of dist. */
export function firstLoadFiles(html: string, list: (folder: string) => string[]): string[] {
  const linked = [...html.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g)].map(
    ([, path]) => path,
  );
  const workers = list('assets')
    .filter((name) => name.startsWith('tree.worker'))
    .map((name) => `assets/${name}`);
  return [...new Set(['index.html', ...linked, ...workers])];
}
