// The state of a panel's question: loading, cancelled, failed, or answered in part.
import { isAboutGroups } from '../../../src/model/group-note.ts';
import { isAboutNames } from '../../../src/model/name-gaps.ts';
import { readSumNote } from '../../../src/model/sum-note.ts';
import { formatElapsed } from '../format/numbers.ts';
import type { Resource } from '../page/use-resource.ts';
import { Icon } from '../parts/icon.tsx';
import { grpcInvalidArgument, grpcUnavailable } from '../rpc/grpc-web.ts';
import { Loading } from './loading.tsx';

interface PanelStateProps {
  readonly resource: Resource<unknown>;
  /** Name of what is loaded: "the icicle". */
  readonly what: string;
}

/** Codes that are reported elsewhere: a wrong query below the query, a lost server at the top. */
const toldElsewhere: ReadonlySet<number | undefined> = new Set([
  grpcInvalidArgument,
  grpcUnavailable,
]);

/** The state, which covers the last result. */
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

const warningsShown = 3;

/**
 * Returns each sentence once that was not told elsewhere on the page; of those about missing names
 * only the first, as panels differ.
 */
function newSentences(warnings: readonly string[], told: readonly string[]): string[] {
  // The page shows averages, and says itself what counts since a start.
  const sentences = [...new Set(warnings)].filter(
    (said) => readSumNote(said) === undefined && !told.includes(said),
  );
  const first = told.some(isOfNames) ? undefined : sentences.find(isOfNames);
  return sentences.filter((sentence) => !isOfNames(sentence) || sentence === first);
}

function isOfNames(sentence: string): boolean {
  return isAboutNames(sentence) && !sentence.startsWith('lines');
}

interface IncompleteProps {
  readonly warnings: readonly string[];
  /** Warnings that another part of the page shows. */
  readonly told?: readonly string[];
}

/** The server's warnings, each once; nothing if there are none. */
export function Incomplete({ warnings, told = [] }: IncompleteProps) {
  const all = newSentences(warnings, told);
  const ofGroups = all.filter(isAboutGroups);
  return (
    <>
      {ofGroups.length > 0 && (
        <p className="notice quiet" role="status">
          {ofGroups.join('; ')}.
        </p>
      )}
      <MissingParts sentences={all.filter((sentence) => !isAboutGroups(sentence))} />
    </>
  );
}

/** Sentences about names and profiles that are missing. */
function MissingParts({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  const more = sentences.length - warningsShown;
  const said = `${sentences.slice(0, warningsShown).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
  // If only names of addresses are missing, no profile is, and one quiet line is enough.
  if (sentences.every(isAboutNames)) {
    return (
      <details className="notice quiet">
        <summary>
          <span role="status">
            <b>Some names are missing here:</b> {said}
          </span>
        </summary>
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    );
  }
  return (
    <p className="notice" role="status">
      <Icon name="warning" /> <b>Some profiles are missing here:</b> {said}
    </p>
  );
}
