// Reads the page on which Go's pprof handler links to all profiles of a process.

/**
 * Time after which the page is read again, because a new version of a program may have more
 * profiles.
 */
const freshMillis = 600_000;

/** Index page of one address, which the targets of that address share. */
export class IndexPage {
  readonly #url: string;
  #paths: ReadonlySet<string> | undefined;
  #readMillis = Number.NEGATIVE_INFINITY;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Returns true if the page links to the path of `url`, or if the address has no such page.
   * `readPage` returns the HTML of the page, or undefined if there is none. Its errors are passed
   * on.
   */
  async has(
    url: string,
    nowMillis: number,
    readPage: (url: string) => Promise<string | undefined>,
  ): Promise<boolean> {
    if (nowMillis - this.#readMillis > freshMillis) {
      const text = await readPage(this.#url);
      this.#paths = text === undefined ? undefined : linkedPaths(text, this.#url);
      this.#readMillis = nowMillis;
    }
    return this.#paths?.has(new URL(url).pathname) ?? true;
  }
}

/**
 * Returns the links to paths below the page. Returns undefined if there are no such links, because
 * the page is then not an index of profiles.
 */
function linkedPaths(text: string, url: string): ReadonlySet<string> | undefined {
  const { pathname } = new URL(url);
  const links = [...text.matchAll(/<a\s[^>]*?href\s*=\s*["']?([^"'\s>]+)/gi)];
  const paths = links.flatMap(([, link]) => (URL.canParse(link, url) ? [new URL(link, url)] : []));
  const below = paths.map((path) => path.pathname).filter((path) => path.startsWith(pathname));
  const profiles = below.filter((path) => path !== pathname);
  return profiles.length === 0 ? undefined : new Set(profiles);
}
