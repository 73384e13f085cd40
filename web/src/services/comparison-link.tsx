// Link to a comparison of a service. While the pointer is on the link, a sentence says what
// changed.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { keepInWindow } from '../parts/popover.tsx';
import type { Span } from '../rpc/api.ts';
import { askChanges, sentenceText } from '../rpc/changes.ts';
import { serviceLink } from './service-cells.tsx';

/** A comparison, and the names of its sides in the sentence. */
export interface Compared {
  readonly query: string;
  readonly span: Span;
  readonly names: { readonly before: string; readonly now: string };
}

interface ComparisonLinkProps {
  readonly compared: Compared;
  /** Accessible name; by default the text of the link. */
  readonly label?: string;
  readonly children: ReactNode;
  /** Text after the link; pointing at this text shows the sentence, too. */
  readonly after?: ReactNode;
}

/** The link, and its sentence. */
export function ComparisonLink({ compared, label, children, after }: ComparisonLinkProps) {
  const { url } = useApp();
  const [isPointed, setPointed] = useState(false);
  const { href, open } = serviceLink(url, compared.query);
  const point = () => setPointed(true);
  const leave = () => setPointed(false);
  return (
    <span className="compared" onPointerEnter={point} onPointerLeave={leave}>
      <a href={href} aria-label={label} onClick={open} onFocus={point} onBlur={leave}>
        {children}
      </a>
      {after}
      {isPointed && <Sentence {...compared} />}
    </span>
  );
}

function Sentence({ query, span, names }: Compared) {
  const { base } = useApp();
  const tip = useRef<HTMLSpanElement>(null);
  const { value, error } = useResource(`sentence ${query}`, (asking) =>
    askChanges(base, query, span, { normalize: 'load', sort: 'flat' }, asking),
  );
  const text = error?.message ?? (value && sentenceText(value.sentence ?? [], names));
  useLayoutEffect(() => keepInWindow(tip.current), [text]);
  return (
    <span className="compared-tip" role="tooltip" ref={tip}>
      {text === '' ? 'One side has no profiles in this range' : (text ?? '\u2026')}
    </span>
  );
}
