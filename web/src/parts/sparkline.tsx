// Draws values over time as a line that is a hundred pixels wide.
import { type SparkPoints, sparkHeight, sparkPaths, sparkWidth, sparkX } from './sparkline-path.ts';

interface SparklineProps {
  readonly points: SparkPoints;
  /** Point at which a version was deployed. */
  readonly mark: number | undefined;
}

/**
 * Draws `points` scaled to their maximum; unfinished buckets are dashed, as in the metrics graph.
 */
export function Sparkline({ points, mark }: SparklineProps) {
  const { values } = points;
  const max = Math.max(...values.map((value) => value ?? 0));
  if (!(max > 0)) return null;
  const { whole, unfinished } = sparkPaths(points, max);
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${sparkWidth} ${sparkHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={whole} />
      {unfinished !== '' && <path className="unfinished" d={unfinished} />}
      {mark !== undefined && (
        <path className="deploy-mark" d={`M${sparkX(mark, values.length)} 0V${sparkHeight}`} />
      )}
    </svg>
  );
}
