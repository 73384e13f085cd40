// Shows sentences about incomplete answers. This module is loaded after the first graph.
import { isAboutGroups } from '../../../src/model/group-note.ts';
import { isAboutNames } from '../../../src/model/name-gaps.ts';
import { readSumNote } from '../../../src/model/sum-note.ts';
import { Icon } from '../parts/icon.tsx';

const warningsShown = 3;

/**
 * Returns the distinct sentences that the page does not show elsewhere. Keeps only the first
 * sentence about missing names, because panels differ in details.
 */
function newSentences(warnings: readonly string[], told: readonly string[]): string[] {
  // The page shows averages, and has its own hint about counters.
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
  /** Warnings that are shown elsewhere on the page. */
  readonly told?: readonly string[];
}

/** The server's warnings without duplicates; nothing if there are none. */
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

/** Sentences about missing names and profiles. */
function MissingParts({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  const more = sentences.length - warningsShown;
  const said = `${sentences.slice(0, warningsShown).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
  // If only function names are missing, all profiles are included, so a subtle line is enough.
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
