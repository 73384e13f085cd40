// Shows the state of a running query: first a thin bar, then text, progress and Cancel.
import { useEffect, useState } from 'react';
import { formatCount, formatElapsed } from '../format/numbers.ts';
import { useApp } from '../page/app-context.ts';
import { useEscape } from '../page/keys.ts';
import type { PendingQuestion } from '../page/use-resource.ts';
import type { Progress } from '../rpc/progress.ts';

const barMillis = 150;
const wordsMillis = 300;
/** Interval between two updates of the waiting time. */
const stepMillis = 100;

interface LoadingProps {
  readonly pending: PendingQuestion;
  readonly what: string;
  readonly onCancel: () => void;
}

/** Shows nothing at first, then a bar, and after a longer wait text and Cancel. */
export function Loading({ pending, what, onCancel }: LoadingProps) {
  const waited = useWaited(pending.started);
  const hasWords = waited >= wordsMillis && !pending.isQuiet;
  const progress = useProgress(hasWords ? pending.tag : undefined);
  useEscape('asked', () => {
    if (hasWords) onCancel();
    return hasWords;
  });
  if (waited < barMillis) return null;
  return (
    <>
      <Bar what={what} share={shareDone(progress)} />
      {hasWords && (
        <div className="loading-words">
          <span>
            {progress?.isWaiting === true ? 'Waiting for other queries' : `Loading ${what}`}
            {progress !== undefined && <Rows progress={progress} />},{' '}
            <span className="loading-time">{formatElapsed(waited)}</span>
          </span>
          <button type="button" className="button" title="Cancel (Esc)" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </>
  );
}

/** Bar of a running query; `share` is its progress, 0 .. 1, or undefined if unknown. */
function Bar({ what, share }: { readonly what: string; readonly share: number | undefined }) {
  const label = `Loading ${what}`;
  if (share === undefined) {
    return <div className="loading-bar" role="progressbar" aria-label={label} />;
  }
  const percent = Math.floor(share * 100);
  return (
    <div
      className="loading-bar known"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${percent}%` }} />
    </div>
  );
}

/**
 * Shows ", 16.0 M of 52.0 M rows", or that all rows are summed while the server builds the report.
 */
function Rows({ progress: { rowsDone, rowsSelected } }: { readonly progress: Progress }) {
  if (rowsSelected === 0) return null;
  const rows = `${formatCount(rowsSelected)} ${rowsSelected === 1 ? 'row' : 'rows'}`;
  if (rowsDone >= rowsSelected) return `, ${rows} summed`;
  return `, ${formatCount(rowsDone)} of ${rows}`;
}

/** Returns the share of rows that are summed; the duration of the work after that is unknown. */
function shareDone(progress: Progress | undefined): number | undefined {
  if (progress === undefined || progress.rowsDone >= progress.rowsSelected) return undefined;
  return progress.rowsDone / progress.rowsSelected;
}

/** Returns the milliseconds since `started`, rounded to steps. */
function useWaited(started: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), stepMillis);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - started);
}

/** Returns the progress from the server; undefined while unknown. */
function useProgress(tag: string | undefined): Progress | undefined {
  const { progress } = useApp();
  const [found, setFound] = useState<Progress>();
  useEffect(() => (tag === undefined ? undefined : progress.watch(tag, setFound)), [tag, progress]);
  return found;
}
