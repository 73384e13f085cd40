// Shows active series on the status page: how much of each limit is used, and by whom.
import { useState } from 'react';
import { groupDigits } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { useApp } from '../page/app-context.ts';
import { useRepeat } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { askCardinality, type CountedString } from '../rpc/status.ts';
import { Table } from './status-table.tsx';

const refreshMillis = 10_000;

/** The section; empty for servers that do not accept profiles. */
export function ActiveSeries() {
  const { base } = useApp();
  const [round, setRound] = useState(0);
  useRepeat(refreshMillis, () => setRound((n) => n + 1));
  const { value } = useResource(
    `cardinality ${round}`,
    ({ signal }) => askCardinality(base, signal),
    { topic: 'cardinality', isQuiet: true },
  );
  if (value === undefined) return null;
  const { activeSeries, labelNames, newSeriesThisMinute, limits } = value;
  return (
    <section aria-label="Active series">
      <h2>Active series, last hour or two</h2>
      <p className="hint">
        {plural(activeSeries, 'series', 'series')} with {plural(labelNames, 'label')},{' '}
        {groupDigits(newSeriesThisMinute)} of them new in this minute. A write past a limit is
        refused.
      </p>
      <Table heads={['Limit', 'Used', 'At most']}>
        {limits.map(({ flag, used, limit }) => (
          <tr key={flag}>
            <td>
              <code>--{flag}</code>
            </td>
            <td>{groupDigits(used)}</td>
            <td>{groupDigits(limit)}</td>
          </tr>
        ))}
      </Table>
      <Counts heads={['Caller', 'Series']} counts={value.seriesByCaller} whenEmpty="this server" />
      <Counts heads={['Label', 'Series']} counts={value.seriesByName} />
      <Counts heads={['Label', 'Values']} counts={value.valuesByName} />
      <Counts heads={['Label and value', 'Series']} counts={value.seriesByValue} />
    </section>
  );
}

interface CountsProps {
  readonly heads: readonly [string, string];
  readonly counts: readonly CountedString[];
  /** Text for an empty string. */
  readonly whenEmpty?: string;
}

/** Table of strings with the largest counts; nothing if there are none. */
function Counts({ heads, counts, whenEmpty = '' }: CountsProps) {
  if (counts.length === 0) return null;
  return (
    <Table label={`${heads[0]} with most ${heads[1].toLowerCase()}`} heads={heads}>
      {counts.map(({ text, count }) => (
        <tr key={text}>
          <td>{text === '' ? whenEmpty : <code>{text}</code>}</td>
          <td>{groupDigits(count)}</td>
        </tr>
      ))}
    </Table>
  );
}
