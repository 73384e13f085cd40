// The context menu of a function in a list, and the keys of its entries.
import { type ReactNode, useState } from 'react';
import { functionGestures, stackGestures } from '../language/gestures.ts';
import { useApp } from '../page/app-context.ts';
import { ContextMenu, type MenuAction } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';

interface FunctionMenuProps {
  readonly edits: StageEdits;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
  /** Called when the menu closes: the list takes the focus back. */
  readonly onClose: () => void;
}

/** The menu of a list. */
export interface FunctionMenu {
  /** Opens the menu of a function, in client coordinates. */
  open(name: string, x: number, y: number): void;
  /** Runs the entry of a key; false where no entry has it. */
  run(name: string, key: string): boolean;
  readonly element: ReactNode;
}

export function useFunctionMenu(props: FunctionMenuProps): FunctionMenu {
  const { edits, onHighlight, onZoom, onClose } = props;
  const { url } = useApp();
  const [opened, setOpened] = useState<{ name: string; x: number; y: number }>();
  const groupsOf = (name: string): MenuAction[][] => [
    [
      { key: 'Enter', label: 'Zoom to its widest frame', run: () => onZoom(name) },
      { key: 'w', label: 'Highlight its frames', run: () => onHighlight(name) },
      {
        key: '*',
        label: 'Search this name',
        run: () => url.change({ search: name, searchMode: 'text' }, 'adjust'),
      },
    ],
    functionGestures(name).map(edits.entryOf),
    [...stackGestures.map(edits.entryOf), edits.split],
  ];
  return {
    open: (name, x, y) => setOpened({ name, x, y }),
    run(name, key) {
      const action = groupsOf(name)
        .flat()
        .find((entry) => entry.key === key);
      action?.run();
      return action !== undefined;
    },
    element: opened !== undefined && (
      <ContextMenu
        title={opened.name}
        heading={<FunctionName name={opened.name} wraps />}
        groups={groupsOf(opened.name)}
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
