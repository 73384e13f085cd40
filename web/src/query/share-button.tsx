// The button that makes a link to a copy of the profile in view.
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../page/app-context.ts';
import { Popover } from '../parts/popover.tsx';
import type { Span } from '../rpc/api.ts';

interface ShareButtonProps {
  readonly query: string;
  readonly span: Span;
}

/** Opens a panel with the link, which is made when the panel opens. */
export function ShareButton({ query, span }: ShareButtonProps) {
  return (
    <Popover label="Share" title="Share a copy of this profile" align="end">
      {() => <SharedLink query={query} span={span} />}
    </Popover>
  );
}

type Answer = { readonly link: string } | { readonly error: string };

function SharedLink({ query, span }: ShareButtonProps) {
  const { api } = useApp();
  const [answer, setAnswer] = useState<Answer>();
  const [isCopied, setCopied] = useState(false);
  const asked = useRef({ api, query, span });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const { current } = asked;
    current.api.share(current.query, current.span, signal).then(
      (link) => setAnswer({ link }),
      (error: unknown) => {
        if (!signal.aborted)
          setAnswer({ error: error instanceof Error ? error.message : 'failed' });
      },
    );
    return () => controller.abort();
  }, []);
  if (answer === undefined) return <p>Storing a copy\u2026</p>;
  if ('error' in answer) return <p role="alert">{answer.error}</p>;
  const { link } = answer;
  const copy = () => {
    void navigator.clipboard.writeText(link).then(() => setCopied(true));
  };
  return (
    <div className="share-link">
      <p>A copy is stored as pprof. Everybody who may read this server can open it by this link.</p>
      <input
        readOnly
        aria-label="Link to the copy"
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" className="button" onClick={copy}>
        {isCopied ? 'Copied' : 'Copy link'}
      </button>
    </div>
  );
}
