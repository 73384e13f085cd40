// How a panel's question is doing: nothing at first, a thin bar, then words; errors with details.
import { useEffect, useState } from 'react';
import { useApp } from '../app-context.ts';
import { formatCount, formatNanos } from '../format/numbers.ts';
import { useEscape } from '../parts/escape.ts';
import { Icon } from '../parts/icon.tsx';
import type { PendingQuestion, Resource } from '../parts/use-resource.ts';
import { grpcInvalidArgument, grpcUnavailable } from '../rpc/grpc-web.ts';
import type { Progress } from '../rpc/progress.ts';

interface PanelStateProps {
  readonly resource: Resource<unknown>;
  /** What is being loaded, for the sentence. */
  readonly what: string;
}

const barMillis = 150;
const wordsMillis = 300;
/** Between two texts of how long it takes. */
const stepMillis = 100;

/** Stands over the old result, which stays. A wrong query is told once, below the query. */
export function PanelState({ resource, what }: PanelStateProps) {
  const { pending, cancelledAfter, error, value, cancel, repeat } = resource;
  const isLast = value !== undefined;
  return (
    <>
      {pending !== undefined && (
        <Loading key={pending.tag} pending={pending} what={what} onCancel={cancel} />
      )}
      {cancelledAfter !== undefined && (
        <p className={`panel-note ${isLast ? '' : 'alone'}`} role="status">
          <span>
            <b>Cancelled</b> after {elapsed(cancelledAfter)}.{' '}
            {isLast ? 'What you see is the last result.' : `There is no earlier result to show.`}
          </span>
          <button type="button" className="button" onClick={repeat}>
            Ask again
          </button>
        </p>
      )}
      {error !== undefined && error.code !== grpcInvalidArgument && (
        <div className={`panel-error ${isLast ? 'over' : 'alone'}`} role="alert">
          <Icon name="warning" />
          <div>
            {error.code === grpcUnavailable ? (
              <>
                <b>The server is not reachable</b> since{' '}
                {new Date(error.since).toLocaleTimeString()}. Trying again every 4{'\u202f'}s.
              </>
            ) : (
              <>
                <b>Cannot load {what}.</b> {error.message}
              </>
            )}
            {isLast && <span className="hint"> What you see is the last result.</span>}
          </div>
        </div>
      )}
    </>
  );
}

interface LoadingProps {
  readonly pending: PendingQuestion;
  readonly what: string;
  readonly onCancel: () => void;
}

/** The bar, and the words with Cancel, once they are due. */
function Loading({ pending, what, onCancel }: LoadingProps) {
  const waited = useWaited(pending.started);
  const hasWords = waited >= wordsMillis;
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
            <span className="loading-time">{elapsed(waited)}</span>
          </span>
          <button type="button" className="button" title="Cancel (Esc)" onClick={onCancel}>
            Cancel
          </button>
        </div>
      )}
    </>
  );
}

/** `share`: how much is done, 0 .. 1; undefined where nobody knows. */
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

/** ", 16.0 M of 52.0 M rows"; when all are summed, the report is made of them. */
function Rows({ progress: { rowsDone, rowsSelected } }: { readonly progress: Progress }) {
  if (rowsSelected === 0) return null;
  const selected = formatCount(rowsSelected);
  if (rowsDone >= rowsSelected) return `, ${selected} rows are summed`;
  return `, ${formatCount(rowsDone)} of ${selected} rows`;
}

/** What comes after the rows has no known end. */
function shareDone(progress: Progress | undefined): number | undefined {
  if (progress === undefined || progress.rowsDone >= progress.rowsSelected) return undefined;
  return progress.rowsDone / progress.rowsSelected;
}

function elapsed(millis: number): string {
  if (millis >= 60_000) return formatNanos(millis * 1e6);
  return `${(millis / 1_000).toFixed(1)}\u202fs`;
}

/** Milliseconds since `started`, in steps. */
function useWaited(started: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), stepMillis);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - started);
}

/** How far the server is; undefined while it is not known. */
function useProgress(tag: string | undefined): Progress | undefined {
  const { progress } = useApp();
  const [found, setFound] = useState<Progress>();
  useEffect(() => (tag === undefined ? undefined : progress.watch(tag, setFound)), [tag, progress]);
  return found;
}
