// Edits of the query's stages, each one step in the history.
import type { RefObject } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import type { Gesture, Stages } from '../language/gestures.ts';
import { useApp } from '../page/app-context.ts';
import type { MenuAction } from '../parts/context-menu.tsx';
import type { UrlState } from '../url/url-state.ts';

/** Makes a query of another; the grammar is loaded when the first edit needs it. */
type Edit = (query: string, stages: Stages) => string;

/** Ways to edit the stages. */
export interface StageEdits {
  /** Applies an edit; `patch` changes the URL in the same step. */
  apply(edit: Edit, patch?: Partial<UrlState>): void;
  /** Returns the menu entry of a gesture. */
  entryOf(gesture: Gesture): MenuAction;
  /** The entry that opens the list of labels to split by. */
  readonly split: MenuAction;
}

/** A zoom path belongs to the stacks before an edit. */
const noZoom = { zoom: '', callersZoom: '', view: undefined };

/** `splitButton` opens the list of labels to split by. */
export function useStageEdits(
  { query }: Explore,
  splitButton: RefObject<HTMLButtonElement | null>,
): StageEdits {
  const { url } = useApp();
  const apply = async (edit: Edit, patch: Partial<UrlState>): Promise<void> => {
    const edited = edit(query, await import('../language/stages.ts'));
    if (edited !== query) url.change({ query: edited, ...noZoom, ...patch }, 'step');
  };
  return {
    apply: (edit, patch = {}) => void apply(edit, patch),
    entryOf: ({ key, label, edit }) => ({ key, label, run: () => void apply(edit, {}) }),
    split: { key: 'l', label: 'Split by a label…', run: () => splitButton.current?.click() },
  };
}
