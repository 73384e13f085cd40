// What answers do without, because the server cannot read it.
import { Icon } from '../parts/icon.tsx';

const warningsShown = 3;

/** The server's sentences, each once; nothing when there are none. */
export function Incomplete({ warnings }: { readonly warnings: readonly string[] }) {
  const sentences = [...new Set(warnings)];
  if (sentences.length === 0) return null;
  const more = sentences.length - warningsShown;
  return (
    <p className="notice" role="status">
      <Icon name="warning" /> <b>Some profiles are missing here:</b>{' '}
      {sentences.slice(0, warningsShown).join('; ')}
      {more > 0 && `; and ${more} more`}.
    </p>
  );
}
