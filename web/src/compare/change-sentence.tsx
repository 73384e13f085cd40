// Sentence about a comparison: how much more a side uses, and the function that causes it.
import type { Explore } from '../answers/use-explore.ts';
import { useChanges } from '../answers/use-changes.ts';
import { isDiff } from '../language/query-text.ts';
import { longSideNames } from '../language/side-words.ts';
import { FunctionName } from '../parts/function-name.tsx';
import type { ChangesOptions, SentencePart } from '../rpc/changes.ts';
import { withoutArguments } from '../format/name-parts.ts';
import { DeployHint } from './deploy-hint.tsx';
import '../styles/compare.css';

interface ChangeSentenceProps {
  readonly explore: Explore;
  /** Zooms to a function in the sentence. */
  readonly onZoom: (name: string) => void;
  /** Options that override the page's options. */
  readonly scaled?: Partial<ChangesOptions> | undefined;
}

/**
 * The sentence; outside a comparison with a hint to the last deploy, whose versions it would mix.
 */
export function ChangeSentence(props: ChangeSentenceProps) {
  return (
    <>
      <Sentence {...props} />
      {!isDiff(props.explore.query) && <DeployHint explore={props.explore} />}
    </>
  );
}

/** The sentence; it keeps its height while a new answer is loading. */
function Sentence({ explore, onZoom, scaled }: ChangeSentenceProps) {
  const changes = useChanges(explore, scaled);
  const parts = changes.value?.sentence ?? [];
  if (parts.length === 0) return null;
  const names = isDiff(explore.query)
    ? longSideNames(explore.query)
    : { before: 'the time before', now: 'This time' };
  return (
    <p
      className="change-sentence"
      role="status"
      aria-label="What changed"
      data-query={changes.valueKey}
      data-pending={changes.pending === undefined ? undefined : ''}
    >
      {parts.map((part, i) => (
        <Part key={i} part={part} names={names} onZoom={onZoom} />
      ))}
    </p>
  );
}

interface PartProps {
  readonly part: SentencePart;
  readonly names: ReturnType<typeof longSideNames>;
  readonly onZoom: (name: string) => void;
}

function Part({ part: { kind, text }, names, onZoom }: PartProps) {
  if (kind === 'compared') return <b>{names.now}</b>;
  if (kind === 'base') return <b>{names.before}</b>;
  if (kind === 'package') return <code>{text}</code>;
  if (kind === 'text') return text;
  return (
    <button type="button" title="Show it in the graph" onClick={() => onZoom(text)}>
      <FunctionName name={text} text={withoutArguments(text)} wraps />
    </button>
  );
}
