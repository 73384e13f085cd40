// A line of a hundred pixels: how the values of one thing went.

const width = 120;
const height = 24;

interface SparklineProps {
  /** Oldest first; null leaves a gap. */
  readonly points: readonly (number | null)[];
  /** The point at which a version came. */
  readonly mark: number | undefined;
}

/** Draws `points` against their maximum. */
export function Sparkline({ points, mark }: SparklineProps) {
  const max = Math.max(...points.map((point) => point ?? 0));
  if (!(max > 0)) return null;
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={pathOf(points, max)} />
      {mark !== undefined && (
        <path className="deploy-mark" d={`M${xOf(mark, points.length)} 0V${height}`} />
      )}
    </svg>
  );
}

function pathOf(points: readonly (number | null)[], max: number): string {
  let path = '';
  let isDrawing = false;
  points.forEach((point, i) => {
    if (point === null) {
      isDrawing = false;
      return;
    }
    const y = height - 1 - (point / max) * (height - 2);
    const place = `${xOf(i, points.length)} ${y.toFixed(1)}`;
    // A line without length is drawn as a dot.
    path += isDrawing ? `L${place}` : `M${place}L${place}`;
    isDrawing = true;
  });
  return path;
}

function xOf(point: number, count: number): string {
  return ((point / Math.max(1, count - 1)) * width).toFixed(1);
}
