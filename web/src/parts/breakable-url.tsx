// A URL that breaks into lines only between its parts, never inside a word.
import { Fragment } from 'react';

/** The URL with possible line breaks, which copied text does not contain. */
export function BreakableUrl({ url }: { readonly url: string }) {
  return partsOfUrl(url).map((part, i) => (
    <Fragment key={`${i} ${part}`}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** Returns the parts, each with a separator at its end. */
function partsOfUrl(url: string): readonly string[] {
  return url.split(/(?<=[/.:?&=](?![/.:?&=]))/);
}
