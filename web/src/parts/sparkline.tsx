// Draws a line of a hundred pixels: the values of one thing over time.
import { sparkHeight, sparkPath, sparkWidth, sparkX } from './sparkline-path.ts';

interface SparklineProps {
  /** Oldest first; null where there are no profiles. */
  readonly points: readonly (number | null)[];
  /** The point at which a version came. */
  readonly mark: number | undefined;
}

/** Draws `points` against their maximum. */
export function Sparkline({ points, mark }: SparklineProps) {
  const max = Math.max(...points.map((point) => point ?? 0));
  if (!(max > 0)) return null;
  return (
    <svg className="sparkline" viewBox={`0 0 ${sparkWidth} ${sparkHeight}`} aria-hidden="true">
      <path d={sparkPath(points, max)} />
      {mark !== undefined && (
        <path className="deploy-mark" d={`M${sparkX(mark, points.length)} 0V${sparkHeight}`} />
      )}
    </svg>
  );
}
