// How a panel's question is doing: nothing at first, a thin bar, then words; errors with details.
import { useEffect, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { Resource } from '../parts/use-resource.ts';
import { grpcInvalidArgument, grpcUnavailable } from '../rpc/grpc-web.ts';

interface PanelStateProps {
  readonly resource: Resource<unknown> & { readonly cancel?: () => void };
  /** What is being loaded, for the sentence. */
  readonly what: string;
}

const barMillis = 150;
const wordsMillis = 1_000;

/** Stands over the old result, which stays. A wrong query is told once, below the query. */
export function PanelState({ resource, what }: PanelStateProps) {
  const waited = useWaited(resource.pendingKey);
  const { error, value, cancel } = resource;
  return (
    <>
      {waited >= barMillis && (
        <div className="loading-bar" role="progressbar" aria-label={`Loading ${what}`} />
      )}
      {waited >= wordsMillis && (
        <div className="loading-words">
          Loading {what}, {(waited / 1_000).toFixed(0)}
          {'\u202f'}s
          {cancel !== undefined && (
            <button type="button" className="button" onClick={cancel}>
              Cancel
            </button>
          )}
        </div>
      )}
      {error !== undefined && error.code !== grpcInvalidArgument && (
        <div className={`panel-error ${value === undefined ? 'alone' : 'over'}`} role="alert">
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
            {value !== undefined && <span className="hint"> What you see is the last result.</span>}
          </div>
        </div>
      )}
    </>
  );
}

/** Milliseconds since the question was asked, in steps; 0 when none is. */
function useWaited(key: string | undefined): number {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    setWaited(0);
    if (key === undefined) return undefined;
    const started = performance.now();
    const update = () => setWaited(performance.now() - started);
    const first = setTimeout(update, barMillis);
    const later = setInterval(update, wordsMillis / 2);
    return () => {
      clearTimeout(first);
      clearInterval(later);
    };
  }, [key]);
  return waited;
}
