// Shows recent scrapes of a target as bars, with durations and failures.
import { formatNanos } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import type { Scrape } from '../rpc/targets.ts';

const barWidth = 4;
const barStep = 5;
const height = 20;
const barHeightMin = 3;
/** Maximum number of scrapes that the server lists. */
const barsMax = 20;

/** The bars, newest on the right. A failed scrape has full height and another colour. */
export function ScrapeStrip({ scrapes }: { readonly scrapes: readonly Scrape[] }) {
  if (scrapes.length === 0) return null;
  const longest = scrapes.reduce((most, { seconds }) => Math.max(most, seconds), 0);
  const first = barsMax - scrapes.length;
  return (
    <svg
      className="scrape-strip"
      width={barsMax * barStep}
      height={height}
      role="img"
      aria-label={summarize(scrapes)}
    >
      {scrapes.map(({ start, seconds, isGood }, i) => {
        const share = longest > 0 ? seconds / longest : 1;
        const size = isGood ? Math.max(barHeightMin, share * height) : height;
        return (
          <rect
            key={start}
            className={isGood ? 'good' : 'bad'}
            x={(first + i) * barStep}
            y={height - size}
            width={barWidth}
            height={size}
          >
            <title>
              {`${formatTime(start)}: ${isGood ? 'took' : 'failed after'} ${formatNanos(seconds * 1e9)}`}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}

function summarize(scrapes: readonly Scrape[]): string {
  const failed = scrapes.filter(({ isGood }) => !isGood);
  const last = failed.at(-1);
  if (scrapes.length === 1)
    return `the last scrape ${last === undefined ? 'did not fail' : 'failed'}`;
  const count = `the last ${plural(scrapes.length, 'scrape')}`;
  if (last === undefined) return `none of ${count} failed`;
  return `${failed.length} of ${count} failed, the last one at ${formatTime(last.start)}`;
}

function formatTime(start: string): string {
  return new Date(start).toLocaleTimeString();
}
