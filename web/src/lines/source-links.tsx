// Links from the current line to the repositories and editors that the server knows.
import { useApp } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { askLinks, linkOfLine } from './ask-links.ts';

interface SourceLinksProps {
  readonly query: string;
  readonly span: Span;
  readonly file: string;
  /** Build id of its program; "" = unknown. */
  readonly build: string;
  readonly line: number;
}

/** The links; nothing if there are none, as on servers of earlier versions. */
export function SourceLinks({ query, span, file, build, line }: SourceLinksProps) {
  const { base } = useApp();
  const topic = JSON.stringify(['links', query, file, build]);
  const key = query === '' ? undefined : JSON.stringify([topic, span]);
  const { value: links = [] } = useResource(
    key,
    (asking) => askLinks(base, query, span, { file, build }, asking),
    { topic, isQuiet: true },
  );
  if (links.length === 0) return null;
  return (
    <span className="lines-links">
      {line > 0 ? `line ${line} in` : 'in'}
      {links.map((link) => (
        <a
          key={link.url}
          href={linkOfLine(link, line)}
          title={linkOfLine(link, line)}
          target="_blank"
          rel="noreferrer noopener"
        >
          {link.title}
          {link.version !== '' && ` ${link.version}`}
          {link.isModified === true && ' + changes'}
        </a>
      ))}
    </span>
  );
}
