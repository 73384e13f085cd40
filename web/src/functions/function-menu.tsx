// Context menu of a function in a list, and its shortcuts.
import { type ReactNode, useMemo, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { functionGestures, stackGestures } from '../language/gestures.ts';
import { useApp } from '../page/app-context.ts';
import { ContextMenu, type MenuAction } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import { fileOfFunction, linesEntry } from '../parts/lines-entry.ts';
import { usersEntry } from '../parts/users-entry.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { TreeTexts } from '../tree/tree-texts.ts';

interface FunctionMenuProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
  /** Called when the menu closes, so that the list can take the focus again. */
  readonly onClose: () => void;
}

/** Context menu of a list. */
export interface FunctionMenu {
  /** Opens the menu of a function at client coordinates. */
  open(name: string, x: number, y: number): void;
  /** Runs the entry with a shortcut; returns false if there is no such entry. */
  run(name: string, key: string): boolean;
  readonly element: ReactNode;
}

export function useFunctionMenu(props: FunctionMenuProps): FunctionMenu {
  const { explore, edits, onHighlight, onZoom, onClose } = props;
  const { url } = useApp();
  const [opened, setOpened] = useState<{ name: string; x: number; y: number }>();
  const tree = explore.icicle.value;
  const texts = useMemo(() => tree && new TreeTexts(tree), [tree]);
  const menuGroups = (name: string): MenuAction[][] => [
    [
      { key: 'Enter', label: 'Zoom to its widest frame', run: () => onZoom(name) },
      { key: 'w', label: 'Highlight its frames', run: () => onHighlight(name) },
      {
        key: '*',
        label: 'Search this name',
        run: () => url.change({ search: name, searchMode: 'text' }, 'adjust'),
      },
      ...linesEntry(fileOfFunction(name, tree, texts, explore.top.value), url),
      ...usersEntry(name, url),
    ],
    functionGestures(name).map(edits.toEntry),
    [...stackGestures.map(edits.toEntry), edits.split],
  ];
  return {
    open: (name, x, y) => setOpened({ name, x, y }),
    run(name, key) {
      const action = menuGroups(name)
        .flat()
        .find((entry) => entry.key === key);
      action?.run();
      return action !== undefined;
    },
    element: opened !== undefined && (
      <ContextMenu
        title={opened.name}
        heading={<FunctionName name={opened.name} wraps />}
        groups={menuGroups(opened.name)}
        x={opened.x}
        y={opened.y}
        onClose={() => {
          setOpened(undefined);
          onClose();
        }}
      />
    ),
  };
}
