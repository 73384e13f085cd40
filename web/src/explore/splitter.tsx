// Splitter between graph and list, which the pointer or keys move.
import type { KeyboardEvent, PointerEvent } from 'react';
import { initialShare, shareMax, shareMin } from './graph-share.ts';

interface SplitterProps {
  readonly share: number;
  readonly onChange: (share: number) => void;
}

/** Splitter at a fraction of its parent; a double click resets it. */
export function Splitter({ share, onChange }: SplitterProps) {
  const keyed = (event: KeyboardEvent) => {
    const step = new Map([
      ['ArrowLeft', -2],
      ['ArrowRight', 2],
    ]).get(event.key);
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(share + step);
  };
  return (
    <div
      className="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Room of graph and list"
      aria-valuenow={Math.round(share)}
      aria-valuemin={shareMin}
      aria-valuemax={shareMax}
      style={{ left: `${share}%` }}
      onKeyDown={keyed}
      onDoubleClick={() => onChange(initialShare)}
      onPointerDown={(event: PointerEvent) => {
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event: PointerEvent<HTMLElement>) => {
        const { currentTarget, clientX, pointerId } = event;
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        const box = currentTarget.parentElement?.getBoundingClientRect();
        if (box !== undefined) onChange(((clientX - box.left) / box.width) * 100);
      }}
    />
  );
}
