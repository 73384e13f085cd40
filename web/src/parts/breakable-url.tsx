// An address that is broken into lines only between its parts, never inside a word.
import { Fragment } from 'react';

/** The address with positions where a line may break. Copied text does not contain them. */
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
