// Menu of a frame: zoom, stages of the query, and entries for copying.
import type { Explore } from '../answers/use-explore.ts';
import { stackGestures } from '../language/gestures.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import type { MenuAction } from '../parts/context-menu.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { pathTo, type Tree } from '../tree/tree.ts';
import { printPath } from '../tree/zoom-path.ts';
import { fixedRange } from '../url/time-range.ts';
import { frameEntries, frameGestures } from './icicle-state.ts';

/** Graph that the menu belongs to, and actions of the panel. */
interface MenuParts {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly zoomTo: (row: number) => void;
  readonly togglePin: (row: number) => void;
  /** Announces an action to screen readers. */
  readonly say: (text: string) => void;
}

/** Returns a function that returns the groups of a frame's menu; shortcuts work without it. */
export function useFrameMenu(parts: MenuParts): (row: number) => MenuAction[][] {
  const { explore, edits, tree, texts, zoomTo, togglePin, say } = parts;
  const { url } = useApp();
  const { state, route } = usePlace();
  const copy = async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied ${what}`);
    } catch {
      say('The browser does not allow copying here');
    }
  };
  const frameName = (row: number) => texts.name(tree.name[row]);
  const formatStack = (row: number) => pathTo(tree, row).slice(1).map(frameName).join('\n');
  const linkTo = (row: number): string => {
    // The URL includes range and profile type, so that it shows the same data later.
    const there = {
      ...state,
      ...fixedRange(explore.span.from, explore.span.to),
      query: explore.query,
      zoom: printPath(tree, row, texts),
      view: undefined,
    };
    return new URL(url.formatHref(route, there), location.href).href;
  };
  return (row) => [
    [
      ...frameEntries({ tree, texts, row }, url, zoomTo),
      { key: 't', label: 'Pin the details', run: () => togglePin(row) },
    ],
    frameGestures(tree, texts, row).map(edits.toEntry),
    [...stackGestures.map(edits.toEntry), edits.split],
    [
      { key: 'y', label: 'Copy name', run: () => void copy(frameName(row), 'name') },
      { key: 'Y', label: 'Copy stack', run: () => void copy(formatStack(row), 'stack') },
      { key: 'L', label: 'Copy link to this frame', run: () => void copy(linkTo(row), 'link') },
    ],
  ];
}
