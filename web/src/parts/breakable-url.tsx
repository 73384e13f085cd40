// An address that is broken into lines only between its parts, never inside a word.
import { Fragment } from 'react';

/** The address; what is copied has no marks of the breaks. */
export function BreakableUrl({ url }: { readonly url: string }) {
  return partsOfUrl(url).map((part, i) => (
    <Fragment key={`${i} ${part}`}>
      {part}
      <wbr />
    </Fragment>
  ));
}

/** Returns the parts, each with the separator at its end. */
function partsOfUrl(url: string): readonly string[] {
  return url.split(/(?<=[/.:?&=](?![/.:?&=]))/);
}
