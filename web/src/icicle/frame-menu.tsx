// The menu of a frame: everything that can be done with it, each with its key.
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { FunctionName } from '../parts/function-name.tsx';

/** One thing to do with a frame; the key works in the graph and in the menu. */
export interface FrameAction {
  /** Name of the key in `KeyboardEvent.key`. */
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

interface FrameMenuProps {
  /** Name of the frame. */
  readonly title: string;
  readonly actions: readonly FrameAction[];
  /** Where it was asked for, in client coordinates. */
  readonly x: number;
  readonly y: number;
  /** `chosen` or left: the caller puts the focus back. */
  readonly onClose: () => void;
}

const margin = 8;

/** Takes the focus while it is open; Escape, Tab, a press outside or a choice close it. */
export function FrameMenu({ title, actions, x, y, onClose }: FrameMenuProps) {
  const element = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  const items = () => [...(element.current?.querySelectorAll('button') ?? [])];

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    const { width, height } = menu.getBoundingClientRect();
    const left = Math.max(margin, Math.min(x, innerWidth - width - margin));
    const top = Math.max(margin, y + height + margin > innerHeight ? y - height : y);
    menu.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }, [x, y]);
  useEffect(() => {
    items()[0]?.focus({ preventScroll: true });
    const pressed = (event: Event) => {
      const inside = event.target instanceof Node && element.current?.contains(event.target);
      if (inside !== true) close.current();
    };
    const left = () => close.current();
    document.addEventListener('pointerdown', pressed);
    addEventListener('resize', left);
    return () => {
      document.removeEventListener('pointerdown', pressed);
      removeEventListener('resize', left);
    };
  }, []);

  const choose = (action: FrameAction) => {
    onClose();
    action.run();
  };
  const pressed = (event: KeyboardEvent) => {
    event.stopPropagation();
    const all = items();
    const current = all.findIndex((item) => item === document.activeElement);
    const next = new Map([
      ['ArrowDown', (current + 1) % all.length],
      ['ArrowUp', (current - 1 + all.length) % all.length],
      ['Home', 0],
      ['End', all.length - 1],
    ]).get(event.key);
    if (next !== undefined) all[next].focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (event.key === 'Enter' || event.key === ' ') return;
    else {
      const action = actions.find(({ key }) => key === event.key);
      if (action !== undefined) choose(action);
    }
    event.preventDefault();
  };

  return (
    <div
      ref={element}
      className="frame-menu"
      role="menu"
      tabIndex={-1}
      aria-label={`Menu of ${title}`}
      onKeyDown={pressed}
      onContextMenu={(event) => event.preventDefault()}
    >
      <p className="frame-menu-title" role="presentation">
        <FunctionName name={title} wraps />
      </p>
      {actions.map((action) => (
        <button
          type="button"
          className="menu-item"
          role="menuitem"
          tabIndex={-1}
          key={action.key}
          aria-keyshortcuts={action.key}
          onClick={() => choose(action)}
        >
          <span>{action.label}</span>
          <kbd aria-hidden="true">{action.key}</kbd>
        </button>
      ))}
    </div>
  );
}
