// Draws sparklines of the functions that a list shows; asks for them when the list stops moving.
import { useEffect, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { invertedQuery } from '../language/query-text.ts';
import { useApp } from '../page/app-context.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { noPoints, type SparkPoints } from '../parts/sparkline-path.ts';
import { askFunctionSeries, seriesNamesMax } from '../answers/function-series.ts';
import '../styles/sparks.css';

const restMillis = 400;

interface FunctionSparksProps {
  readonly explore: Explore;
  readonly value: 'flat' | 'cumulative';
  /** Rows in view, and the place of each in CSS pixels. */
  readonly rows: readonly { readonly name: string; readonly top: number }[];
}

/** Draws one line in each row, at its right; if the question fails, there are no lines. */
export function FunctionSparks({ explore, value, rows }: FunctionSparksProps) {
  const points = usePoints(
    explore,
    value,
    rows.map(({ name }) => name),
  );
  return (
    <div className="sparks" aria-hidden="true" data-known={points.size}>
      {rows.map(({ name, top }) => {
        const row = points.get(name);
        return (
          row && (
            <span key={top} style={{ top }}>
              <Sparkline points={row} mark={undefined} />
            </span>
          )
        );
      })}
    </div>
  );
}

/** Returns what is known of `names`; asks for the others. */
function usePoints(
  { query, selectedSpan, areIdle }: Explore,
  value: 'flat' | 'cumulative',
  names: readonly string[],
): ReadonlyMap<string, SparkPoints> {
  const { base } = useApp();
  const { upright = query } = invertedQuery(query);
  const { from, to } = selectedSpan;
  const question = JSON.stringify([base, upright, value, to - from]);
  const known = useRef<{ question: string; to: number; points: ReadonlyMap<string, SparkPoints> }>({
    ...{ question: '', to: 0, points: new Map() },
  });
  const [, setRound] = useState(0);
  // Lines of another question would be wrong; those of an earlier time are only old.
  if (known.current.question !== question) {
    known.current = { question, to, points: new Map() };
  }
  const isOld = known.current.to !== to;
  const missing = names.filter((name) => isOld || !known.current.points.has(name));
  const wanted = JSON.stringify([...new Set(missing)].slice(0, seriesNamesMax));
  useEffect(() => {
    if (!areIdle || wanted === '[]') return undefined;
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      const asked = JSON.parse(wanted) as string[];
      const { signal } = controller;
      const nothing = new Map(asked.map((name): [string, SparkPoints] => [name, noPoints]));
      const found = await askFunctionSeries(base, upright, { from, to }, asked, value, {
        signal,
      }).catch(() => nothing);
      if (signal.aborted) return;
      const before = isOld ? [] : known.current.points;
      known.current = { question, to, points: new Map([...before, ...nothing, ...found]) };
      setRound((n) => n + 1);
    };
    const timer = setTimeout(() => void ask(), restMillis);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [question, from, to, wanted, areIdle, isOld]);
  return known.current.points;
}
