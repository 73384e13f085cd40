// Draws sparklines of the functions in a list, and requests their values when the list stops
// scrolling.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { invertedQuery } from '../language/query-text.ts';
import { useApp } from '../page/app-context.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import { noPoints, type SparkPoints } from '../parts/sparkline-path.ts';
import {
  askFunctionSeries,
  type FunctionsJson,
  seriesNamesMax,
} from '../answers/function-series.ts';
import '../styles/sparks.css';

const restMillis = 400;

interface FunctionSparksProps {
  readonly explore: Explore;
  readonly value: 'flat' | 'cumulative';
  /** Visible rows, with their positions in CSS pixels. */
  readonly rows: readonly { readonly name: string; readonly top: number }[];
}

/** Draws a line at the right of each row; if the request fails, there are no lines. */
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

/** Functions that are requested together. */
interface Chunk {
  readonly names: readonly string[];
  /** End of the requested range. */
  readonly to: number;
  readonly points: ReadonlyMap<string, SparkPoints>;
  readonly answer: FunctionsJson | undefined;
}

/** Maximum number of chunks that are kept while scrolling. */
const chunksMax = 8;

/** Returns the known points of `names`, and requests missing or outdated points. */
function usePoints(
  { query, selectedSpan, areIdle }: Explore,
  value: 'flat' | 'cumulative',
  names: readonly string[],
): ReadonlyMap<string, SparkPoints> {
  const { base } = useApp();
  const { upright = query } = invertedQuery(query);
  const { from, to } = selectedSpan;
  const question = JSON.stringify([base, upright, value, to - from]);
  const known = useRef<{ question: string; chunks: readonly Chunk[] }>({
    question: '',
    chunks: [],
  });
  const [round, setRound] = useState(0);
  // Lines of another query would be wrong, but lines of an earlier time are merely outdated.
  if (known.current.question !== question) known.current = { question, chunks: [] };
  const wanted = JSON.stringify(names);
  useEffect(() => {
    const { chunks } = known.current;
    const next = areIdle ? chunkToAsk(chunks, JSON.parse(wanted) as string[], to) : undefined;
    if (next === undefined) return undefined;
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      const { signal } = controller;
      const nothing = next.names.map((name): [string, SparkPoints] => [name, noPoints]);
      const asking = { signal };
      const span = { from, to };
      const { answer: last } = next;
      const found = await askFunctionSeries(
        base,
        upright,
        span,
        next.names,
        value,
        asking,
        last,
      ).catch(() => undefined);
      if (signal.aborted) return;
      const points = new Map([...nothing, ...(found?.points ?? [])]);
      const others = known.current.chunks.filter((one) => one !== next);
      const chunk = { names: next.names, to, points, answer: found?.answer };
      known.current = { question, chunks: [...others, chunk].slice(-chunksMax) };
      setRound((n) => n + 1);
    };
    const timer = setTimeout(() => void ask(), restMillis);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [base, upright, value, question, from, to, wanted, areIdle, round]);
  const { chunks } = known.current;
  return useMemo(() => new Map(chunks.flatMap(({ points }) => [...points])), [chunks]);
}

/**
 * Returns an outdated chunk with at least one of these functions, or else the functions that are in
 * no chunk; undefined if there are none.
 */
function chunkToAsk(
  chunks: readonly Chunk[],
  names: readonly string[],
  to: number,
): Chunk | undefined {
  const isIn = (name: string, { points }: Chunk) => points.has(name);
  const current = chunks.filter((chunk) => chunk.to === to);
  const missing = names.filter((name) => !current.some((chunk) => isIn(name, chunk)));
  const old = chunks.find((chunk) => chunk.to !== to && missing.some((name) => isIn(name, chunk)));
  if (old !== undefined || missing.length === 0) return old;
  const asked = [...new Set(missing)].slice(0, seriesNamesMax);
  return { names: asked, to, points: new Map(), answer: undefined };
}
