// Requests the links of a file to repositories and editors.
import { safeLink } from '../parts/safe-link.ts';
import type { Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { getJson } from '../rpc/json.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

/** A link; its URL may have a placeholder for the line. */
export interface FileLink {
  readonly title: string;
  readonly version: string;
  readonly url: string;
  /** True if the program was built with changes that the commit does not have. */
  readonly isModified?: boolean;
}

/** Requests the links; omits links with an unsafe scheme, which could run a script. */
export async function askLinks(
  base: string,
  query: string,
  span: Span,
  { file, build }: { readonly file: string; readonly build: string },
  asking: Asking,
): Promise<readonly FileLink[]> {
  const asked = { query, ...timeBounds(span), file };
  const parameters = new URLSearchParams(build === '' ? asked : { ...asked, build_id: build });
  const answer = await getJson(base, 'source-links', parameters, asking);
  const { links = [] } = answer as { readonly links?: readonly FileLink[] };
  return links.filter(({ url }) => safeLink(url) !== undefined);
}

/** Returns the URL of a line, or of the file if the line is 0. */
export function linkOfLine({ url }: FileLink, line: number): string {
  if (line > 0) return url.replaceAll('{line}', String(line));
  return url.replace(/[#:]L?\{line\}$/, '').replaceAll('{line}', '1');
}
