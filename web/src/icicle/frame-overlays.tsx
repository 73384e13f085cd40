// Overlays of the graph: tooltip or pinned details, and the menu of a frame.
import type { RefObject } from 'react';
import type { IcicleHandle } from '../canvas/icicle.tsx';
import { useLoaded } from '../page/hooks.ts';
import { ContextMenu } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import type { IcicleActions } from './use-icicle-actions.ts';
import type { IcicleModel } from './use-icicle.ts';
import type { Pointing } from './use-pointing.ts';

interface FrameOverlaysProps {
  readonly icicle: IcicleModel;
  readonly pointing: Pointing;
  readonly actions: IcicleActions;
  readonly handle: RefObject<IcicleHandle | null>;
}

/** Overlays; closing one returns the focus to the graph. */
export function FrameOverlays({ icicle, pointing, actions, handle }: FrameOverlaysProps) {
  const { explore, tree, texts, context } = icicle;
  const { pointed, menu, menuRow, setMenu, pinned, pinnedRow, setPinned } = pointing;
  const tooltip = useLoaded(() => import('./frame-tooltip.tsx'));
  const name = menuRow === undefined ? '' : texts.name(tree.name[menuRow]);
  return (
    <>
      {pinned !== undefined && tooltip ? (
        <tooltip.PinnedDetails
          explore={explore}
          context={pinnedRow === undefined ? pinned.context : context}
          row={pinnedRow ?? pinned.row}
          isGone={pinnedRow === undefined}
          x={pinned.x}
          y={pinned.y}
          onClose={() => {
            setPinned(undefined);
            handle.current?.focus();
          }}
        />
      ) : (
        menuRow === undefined &&
        tooltip && (
          <tooltip.PointedTooltip
            store={pointed}
            context={context}
            explore={explore}
            handle={handle}
          />
        )
      )}
      {menu !== undefined && menuRow !== undefined && (
        <ContextMenu
          title={name}
          heading={<FunctionName name={name} wraps />}
          groups={actions.groupsOf(menuRow)}
          x={menu.x}
          y={menu.y}
          onClose={() => {
            setMenu(undefined);
            handle.current?.focus();
          }}
        />
      )}
    </>
  );
}
