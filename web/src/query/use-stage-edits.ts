// Edits the stages of the query; each edit adds an entry to the browser history.
import type { RefObject } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import type { Gesture, Stages } from '../language/gestures.ts';
import { useApp } from '../page/app-context.ts';
import type { MenuAction } from '../parts/context-menu.tsx';
import type { UrlState } from '../url/url-state.ts';

/** Edits a query; the grammar is loaded for the first edit. */
type Edit = (query: string, stages: Stages) => string;

/** Functions that edit the stages. */
export interface StageEdits {
  /** Applies an edit; `patch` changes the URL in the same step. */
  apply(edit: Edit, patch?: Partial<UrlState>): void;
  /** Returns the menu entry of a gesture. */
  toEntry(gesture: Gesture): MenuAction;
  /** Entry that opens the list of labels for splitting. */
  readonly split: MenuAction;
}

/** State without zoom: after an edit, the zoom path no longer matches the stacks. */
const noZoom = { zoom: '', callersZoom: '', view: undefined };

/** Returns functions that edit the stages. `splitButton` opens the list of labels for splitting. */
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
    toEntry: ({ key, label, edit }) => ({ key, label, run: () => void apply(edit, {}) }),
    split: { key: 'l', label: 'Split by a label…', run: () => splitButton.current?.click() },
  };
}
