// Marks of one kind on a graph over time, with the names that have space.
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { spacedNames } from './mark-names.ts';
import { TimeMark, type TimeMarkProps } from './time-mark.tsx';

/** A mark with the name that is shown if there is space. */
export interface GroupedMark extends Omit<TimeMarkProps, 'text'> {
  readonly key: string;
  readonly name: string;
}

interface MarkGroupProps {
  /** Accessible name. */
  readonly label: string;
  /** True if there is space for names. */
  readonly isTall: boolean;
  readonly marks: readonly GroupedMark[];
  readonly children?: ReactNode;
}

/** The marks, which have a line of their own in a tall graph. */
export function MarkGroup({ label, isTall, marks, children }: MarkGroupProps) {
  const group = useRef<HTMLDivElement>(null);
  const width = useWidth(group);
  const isNamed = spacedNames(marks, width);
  return (
    <div className={`deploys ${isTall ? 'tall' : ''}`} role="group" aria-label={label} ref={group}>
      {marks.map(({ key, name, ...mark }, i) => (
        <TimeMark key={key} text={isTall && isNamed[i] ? name : undefined} {...mark} />
      ))}
      {children}
    </div>
  );
}

/** Returns the current width of an element; 0 before it is drawn. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const update = () => setWidth(current.clientWidth);
    const observer = new ResizeObserver(update);
    observer.observe(current);
    update();
    return () => observer.disconnect();
  }, [element]);
  return width;
}
