// Stages of the query as chips in order, with actions to remove, move and undo, and the remaining
// share.
import { type DragEvent, type RefObject, useEffect, useRef } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { formatPercent } from '../format/numbers.ts';
import type { StageText } from '../language/stages.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded } from '../page/hooks.ts';
import { type MenuAction, useButtonMenu } from '../parts/context-menu.tsx';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';
import { LabelNames } from './label-chips.tsx';
import type { StageEdits } from './use-stage-edits.ts';

interface StageTrailProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly splitButton: RefObject<HTMLButtonElement | null>;
}

/** The stages. Each change edits the query string; Back undoes it. */
export function StageTrail({ explore, edits, splitButton }: StageTrailProps) {
  const { url } = useApp();
  const { steps } = usePlace();
  const { query, isInverted } = explore;
  const stages = useLoaded(() => import('../language/stages.ts'));
  const list = stages?.listStages(query) ?? [];
  const row = useRef<HTMLDivElement>(null);
  const focusNext = useRef<number | undefined>(undefined);
  const dragged = useRef<number | undefined>(undefined);

  useEffect(() => {
    if (focusNext.current === undefined) return;
    const texts = row.current?.querySelectorAll<HTMLElement>('.stage-text') ?? [];
    const next = texts[Math.min(focusNext.current, texts.length - 1)] ?? splitButton.current;
    next?.focus();
    focusNext.current = undefined;
  }, [query, splitButton]);

  const move = (index: number, target: number) => {
    focusNext.current = target;
    edits.apply((text, { moveStage }) => moveStage(text, index, target));
  };
  const remove = (index: number) => {
    focusNext.current = Math.max(0, index - 1);
    edits.apply((text, { listStages }) => listStages(text)[index]?.rest ?? text);
  };
  const canMove = (index: number, target: number) =>
    list[target] !== undefined && list[target].side === list[index].side;
  const stageActions = (index: number): MenuAction[] => [
    ...([-1, 1] as const)
      .filter((step) => canMove(index, index + step))
      .map((step) => ({
        key: step < 0 ? 'Shift+ArrowLeft' : 'Shift+ArrowRight',
        label: step < 0 ? 'Move before the previous stage' : 'Move after the next stage',
        run: () => move(index, index + step),
      })),
    { key: 'Delete', label: 'Remove', run: () => remove(index) },
    ...(canMove(index, index + 1)
      ? [
          {
            key: 'Shift+Delete',
            label: 'Remove all stages after it',
            run: () => {
              focusNext.current = index;
              edits.apply((text, { keepStagesTo }) => keepStagesTo(text, index));
            },
          },
        ]
      : []),
  ];

  return (
    <div className="chips" role="group" aria-label="Stages" ref={row}>
      {list.length > 0 && <span className="chips-title">stages</span>}
      {list.map((stage, index) => (
        <StageChip
          key={`${index} ${stage.text}`}
          stage={stage}
          actions={stageActions(index)}
          onRemove={() => remove(index)}
          onDrag={() => {
            dragged.current = index;
          }}
          onDrop={() => {
            if (dragged.current !== undefined) move(dragged.current, index);
            dragged.current = undefined;
          }}
        />
      ))}
      {list.length > 0 && <ShownShare explore={explore} />}
      {list.length > 0 && steps > 0 && (
        <button
          type="button"
          className="button quiet small"
          title="Undo the last step, as Back does"
          onClick={url.undo}
        >
          Undo
        </button>
      )}
      <button
        type="button"
        className="button quiet small"
        aria-pressed={isInverted}
        title="Invert: callers under what they call (i)"
        onClick={() => edits.apply((text, { toggleInvert }) => toggleInvert(text))}
      >
        Invert
      </button>
      <PresetsButton query={query} edits={edits} />
      <Popover
        title="Split by a label, file or binary"
        className="chip-add"
        buttonRef={splitButton}
        label={
          <>
            <Icon name="plus" />
            split by
          </>
        }
      >
        {(close) => (
          <LabelNames
            profileType={explore.labelType}
            first={['file', 'binary', 'address']}
            exclude={stages?.listGroups(query) ?? []}
            onChoose={(name, isFirst) => {
              close();
              edits.apply((text, { toggleGroup, groupWord }) =>
                toggleGroup(text, isFirst ? name : groupWord(name)),
              );
            }}
          />
        )}
      </Popover>
    </div>
  );
}

/** Opens the panel of presets. */
function PresetsButton(props: Pick<Explore, 'query'> & Pick<StageTrailProps, 'edits'>) {
  const presets = useLoaded(() => import('./presets-panel.tsx'));
  return (
    <Popover title="Hide, fold or show only" className="chip-add" label="hide…">
      {() => presets && <presets.PresetsPanel {...props} />}
    </Popover>
  );
}

interface StageChipProps {
  readonly stage: StageText;
  readonly actions: readonly MenuAction[];
  readonly onRemove: () => void;
  /** Called when a drag of the chip begins. */
  readonly onDrag: () => void;
  /** Called when a chip is dropped on this one. */
  readonly onDrop: () => void;
}

function StageChip({ stage, actions, onRemove, onDrag, onDrop }: StageChipProps) {
  const { button, handlers, press, element } = useButtonMenu(stage.text, actions);
  const side = stage.side === undefined ? '' : ` (${stage.side})`;
  return (
    <span
      className="chip stage-chip"
      draggable
      onDragStart={onDrag}
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={onDrop}
      {...press}
    >
      <button type="button" className="stage-text" ref={button} title={stage.text} {...handlers}>
        {stage.side !== undefined && <span className="chips-title">{stage.side} </span>}
        {stage.text}
      </button>
      <button type="button" aria-label={`Remove ${stage.text}${side}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
      {element}
    </span>
  );
}

/** Shows "33.3 % of all is shown": the share of the values that the stages keep. */
function ShownShare({ explore: { icicle } }: { readonly explore: Explore }) {
  const tree = icicle.value;
  if (tree === undefined) return null;
  const all = Number(tree.total) + Number(tree.filtered);
  if (all <= 0) return null;
  return (
    <span className="shown-share" role="status">
      <b>{formatPercent(Number(tree.total) / all)}</b> of all is shown
    </span>
  );
}
