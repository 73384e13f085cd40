// Button with a panel below it, which opens on click, and closes on Escape, an outside press or a
// choice.
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';

interface PopoverProps {
  readonly label: ReactNode;
  /** Accessible name. */
  readonly title: string;
  readonly className?: string;
  /** Side on which the panel is aligned with the button. */
  readonly align?: 'start' | 'end';
  /** Ref to the button, for callers that open the panel. */
  readonly buttonRef?: RefObject<HTMLButtonElement | null>;
  /** Returns the content; undefined while its module is loading. */
  readonly children: (close: () => void) => ReactNode;
}

/** The button and its panel, which exists only while it is open. */
export function Popover(props: PopoverProps) {
  const { label, title, className = '', align = 'start', children } = props;
  const [open, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const ownButton = useRef<HTMLButtonElement>(null);
  const button = props.buttonRef ?? ownButton;
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!open) return undefined;
    const pressed = (event: PointerEvent) => {
      const inside = event.target instanceof Node && root.current?.contains(event.target);
      if (inside !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', pressed);
    const sizes = new ResizeObserver(() => keepInWindow(panel.current));
    if (panel.current !== null) sizes.observe(panel.current);
    // What grows around the button moves it.
    for (let part: HTMLElement | null = root.current; part !== null; part = part.parentElement) {
      sizes.observe(part);
    }
    return () => {
      document.removeEventListener('pointerdown', pressed);
      sizes.disconnect();
    };
  }, [open]);

  return (
    <div
      className={`popover ${className}`}
      ref={root}
      onKeyDown={(event) => {
        if (!open || event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        className="button"
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={title}
        onClick={() => setOpen(!open)}
      >
        {label}
      </button>
      {open && (
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label={title}
          className={`popover-panel align-${align}`}
        >
          {children(close) ?? (
            <p className="hint" role="status">
              Loading …
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** Smallest height in pixels of a panel that is too high for the window; it scrolls. */
const heightMin = 240;

/**
 * Moves a panel if it extends beyond the window, and makes it scroll if the space below its button
 * is too small.
 */
export function keepInWindow(panel: HTMLElement | null): void {
  if (panel === null) return;
  const { style } = panel;
  const [oldHeight, scrolled] = [style.maxHeight, panel.scrollTop];
  Object.assign(style, { translate: '', maxHeight: '', overflowY: '' });
  const { left, right, top, height } = panel.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const room = clientHeight - 8 - top;
  const shown = Math.min(height, Math.max(room, heightMin, parseFloat(oldHeight) || 0));
  const right8 = clientWidth - 8;
  const x = Math.max(8 - left, Math.min(0, right8 - right));
  const y = Math.min(0, room - shown);
  if (shown < height) Object.assign(style, { maxHeight: `${shown}px`, overflowY: 'auto' });
  if (x !== 0 || y !== 0) style.translate = `${x}px ${y}px`;
  panel.scrollTop = scrolled;
}
