// A line of a hundred pixels: how the cores of one service went.

const width = 120;
const height = 24;

/** Draws `points`, oldest first, against their maximum; null leaves a gap. */
export function Sparkline({ points }: { readonly points: readonly (number | null)[] }) {
  const max = Math.max(...points.map((point) => point ?? 0));
  if (!(max > 0)) return null;
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={pathOf(points, max)} />
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
    const x = (i / Math.max(1, points.length - 1)) * width;
    const y = height - 1 - (point / max) * (height - 2);
    const place = `${x.toFixed(1)} ${y.toFixed(1)}`;
    // A line without length is drawn as a dot.
    path += isDrawing ? `L${place}` : `M${place}L${place}`;
    isDrawing = true;
  });
  return path;
}
