// Shows function names: the package grey, the function bold, and shortened by structure to the
// available width.
import { type RefObject, useLayoutEffect, useState } from 'react';
import { fitName, namePieces } from '../format/fit-names.ts';

interface FunctionNameProps {
  readonly name: string;
  /** Shortened name; by default the complete name. */
  readonly text?: string | undefined;
  /** True if a long name may wrap at its separators. */
  readonly wraps?: boolean;
}

/** A name. Screen readers and the title always have the complete name. */
export function FunctionName({ name, text = name, wraps = false }: FunctionNameProps) {
  const { scope, owner, own } = namePieces(text);
  const piece = (part: string) => (wraps ? breakable(part) : part);
  const isCut = text !== name;
  return (
    <span className="function-name" title={isCut ? name : undefined}>
      <span aria-hidden={isCut || undefined}>
        {scope !== '' && <span className="name-scope">{piece(scope)}</span>}
        {owner !== '' && <span className="name-owner">{piece(owner)}</span>}
        <b>{piece(own)}</b>
      </span>
      {isCut && <span className="visually-hidden">{name}</span>}
    </span>
  );
}

/** A name in a single line that fills its container. */
export function FittedName({ name, room }: { readonly name: string; readonly room: number }) {
  return <FunctionName name={name} text={fitName(name, room)} />;
}

/** Returns the current number of characters that fit into an element. */
export function useRoom(element: RefObject<HTMLElement | null>, fallback: number): number {
  const [room, setRoom] = useState(fallback);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const update = () => setRoom(availableWidth(current));
    const observer = new ResizeObserver(update);
    observer.observe(current);
    update();
    return () => observer.disconnect();
  }, [element]);
  return room;
}

/** Minimum width in characters, because fewer would be meaningless. */
const roomMin = 8;

function availableWidth(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  const width = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return Math.max(roomMin, Math.floor(width / characterWidth() + 1e-6));
}

let measured: number | undefined;

/** Returns the width of a character in names in CSS pixels; the font is monospaced. */
function characterWidth(): number {
  if (measured !== undefined) return measured;
  const probe = document.createElement('span');
  probe.className = 'name-probe';
  probe.textContent = '0'.repeat(100);
  document.body.append(probe);
  measured = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return measured;
}

/** Adds break opportunities to a long name, at its separators. */
export function breakable(name: string): string {
  return name.replace(/(::|[./])/g, '$1\u200b');
}
