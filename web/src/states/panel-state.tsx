// The state of a panel's query: loading, cancelled or failed.
import { formatElapsed } from '../format/numbers.ts';
import type { Resource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { grpcInvalidArgument, grpcUnauthenticated, grpcUnavailable } from '../rpc/grpc-web.ts';
import { Loading } from './loading.tsx';

interface PanelStateProps {
  readonly resource: Resource<unknown>;
  /** Name of the loading content, such as "the icicle". */
  readonly what: string;
}

/**
 * Codes of errors that are shown elsewhere: an invalid query is shown below the query; a lost
 * connection and an ended session are shown at the top.
 */
const toldElsewhere: ReadonlySet<number | undefined> = new Set([
  grpcInvalidArgument,
  grpcUnavailable,
  grpcUnauthenticated,
]);

/** The state, which is shown over the last result. */
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
            <b>Cancelled</b> after {formatElapsed(cancelledAfter)}.{' '}
            {isLast ? 'What you see is the last result.' : 'There is no earlier result to show.'}
          </span>
          <button type="button" className="button" onClick={repeat}>
            Ask again
          </button>
        </p>
      )}
      {error !== undefined && !toldElsewhere.has(error.code) && (
        <div className={`panel-error ${isLast ? 'over' : 'alone'}`} role="alert">
          <Icon name="warning" />
          <div>
            <b>Cannot load {what}.</b> {error.message}
            {isLast && <span className="hint"> What you see is the last result.</span>}
          </div>
        </div>
      )}
    </>
  );
}
