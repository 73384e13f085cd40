// Requests the marks that pipelines and users have stored on the server.
import { getJson } from './json.ts';
import type { Span } from './api.ts';
import type { Asking } from './asking.ts';
import { timeBounds } from './time-bounds.ts';

export interface StoredMark {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  /** HTTP or HTTPS URL of the change; "" = none. */
  readonly link: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Lists the marks in a range; empty if the server stores no marks. Errors: RpcError. */
export async function askMarks(
  base: string,
  span: Span,
  asking: Asking,
): Promise<readonly StoredMark[]> {
  const bounds = new URLSearchParams(timeBounds(span));
  const answer = await getJson(base, 'marks', bounds, asking);
  const { marks } = answer as {
    readonly marks: readonly (Omit<StoredMark, 'at'> & { readonly time: string })[];
  };
  return marks.map(({ id, time, text, link, labels }) => ({
    id,
    at: Date.parse(time),
    text,
    link,
    labels,
  }));
}
