// Header of an offline page: what was saved, and its values over time.
import { isDiff } from '../language/query-text.ts';
import { usePlace } from '../page/app-context.ts';
import { sparkPaths, sparkHeight, sparkWidth } from '../parts/sparkline-path.ts';
import type { OfflineFacts, OfflineLine } from '../share/offline-data.ts';
import '../styles/offline-facts.css';

/** Shows the facts of the saved view; a comparison has its own sentence. */
export function OfflineFactsBar({ facts }: { readonly facts: OfflineFacts }) {
  const { state } = usePlace();
  const { query, range, saved, link, sentence, lines } = facts;
  const max = Math.max(...lines.flatMap(({ points }) => points.values.map((value) => value ?? 0)));
  return (
    <section className="offline-facts" aria-label="What was saved">
      {sentence !== '' && !isDiff(state.query) && <p className="offline-sentence">{sentence}</p>}
      <p>
        <code>{query}</code>{' '}
        <span className="hint">
          {range}, saved {saved}
        </span>{' '}
        {link !== '' && (
          <a href={link} rel="noreferrer">
            Open on the server
          </a>
        )}
      </p>
      <div className="offline-lines">
        {max > 0 && lines.map((line) => <Line key={line.name} line={line} max={max} />)}
      </div>
    </section>
  );
}

function Line({ line: { name, time, points, most, deploys }, max }: LineProps) {
  const { whole, unfinished } = sparkPaths(points, max);
  const said = [`at most ${most}`, ...deploys.map(({ text }) => text)].join('; ');
  return (
    <figure>
      <figcaption>
        <b>{name}</b>{' '}
        <span className="hint">
          {time}; {said}
        </span>
      </figcaption>
      <svg
        className="sparkline"
        viewBox={`0 0 ${sparkWidth} ${sparkHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name === '' ? 'Values' : name} over time: ${said}`}
      >
        <path d={whole} />
        {unfinished !== '' && <path className="unfinished" d={unfinished} />}
        {deploys.map(({ at, text }) => (
          <path
            key={text}
            className="deploy-mark"
            d={`M${(at * sparkWidth).toFixed(1)} 0V${sparkHeight}`}
          />
        ))}
      </svg>
    </figure>
  );
}

interface LineProps {
  readonly line: OfflineLine;
  /** Largest value of all lines, so that their heights can be compared. */
  readonly max: number;
}
