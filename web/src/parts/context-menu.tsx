// Context menu: all actions for an object, with shortcuts.
import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** A menu entry; its shortcut works in the menu and where the menu is opened. */
export interface MenuAction {
  /** Shortcut, in the format of `keyName`. */
  readonly key: string;
  readonly label: string;
  readonly run: () => void;
}

interface ContextMenuProps {
  /** Name of the object that the menu belongs to. */
  readonly title: string;
  /** Heading of the menu. */
  readonly heading: ReactNode;
  /** Groups of entries, with a line between groups. */
  readonly groups: readonly (readonly MenuAction[])[];
  /** Position in client coordinates. */
  readonly x: number;
  readonly y: number;
  /** Called when the menu is closed, so that the caller can restore the focus. */
  readonly onClose: () => void;
}

const margin = 8;

/**
 * The menu. It has the focus while it is open; Escape, Tab, a press outside or a choice close it.
 */
export function ContextMenu({ title, heading, groups, x, y, onClose }: ContextMenuProps) {
  const actions = groups.flat();
  const element = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  const items = () => [...(element.current?.querySelectorAll('button') ?? [])];

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    const { width, height } = menu.getBoundingClientRect();
    const left = Math.max(margin, Math.min(x, innerWidth - width - margin));
    const above = y + height + margin > innerHeight ? y - height : y;
    const top = Math.max(margin, Math.min(above, innerHeight - height - margin));
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

  const choose = (action: MenuAction) => {
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
      const action = actions.find(({ key }) => key === keyName(event));
      if (action !== undefined) choose(action);
    }
    event.preventDefault();
  };

  return (
    <div
      ref={element}
      className="context-menu"
      role="menu"
      tabIndex={-1}
      aria-label={`Menu of ${title}`}
      onKeyDown={pressed}
      onContextMenu={(event) => event.preventDefault()}
    >
      <p className="context-menu-title" role="presentation">
        {heading}
      </p>
      {groups
        .filter((group) => group.length > 0)
        .map((group, i) => (
          <Fragment key={group[0].key}>
            {i > 0 && <hr />}
            {group.map((action) => (
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
                <kbd aria-hidden="true">{keyText(action.key)}</kbd>
              </button>
            ))}
          </Fragment>
        ))}
    </div>
  );
}

/** Returns the name of a pressed key; it includes Shift if the key is not a letter. */
export function keyName({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): string {
  return shiftKey && key.length > 1 ? `Shift+${key}` : key;
}

/** Returns true if a key opens the context menu. */
export function opensMenu(event: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  return ['ContextMenu', 'Shift+F10', '.'].includes(keyName(event));
}

function keyText(key: string): string {
  return key.replace('+', ' ').replace('ArrowLeft', '←').replace('ArrowRight', '→');
}

const longPressMillis = 500;

/**
 * Returns handlers that open a menu on right click, or on long press in browsers that do not report
 * it as a right click.
 */
export function useMenuPress(open: (x: number, y: number) => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stop = () => clearTimeout(timer.current);
  return {
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      stop();
      open(event.clientX, event.clientY);
    },
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      stop();
      if (pointerType === 'touch')
        timer.current = setTimeout(() => open(clientX, clientY), longPressMillis);
    },
    onPointerMove: stop,
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}

/** Returns the menu of a button, which opens on click, shortcut, right click or long press. */
export function useButtonMenu(title: string, actions: readonly MenuAction[]) {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  const button = useRef<HTMLButtonElement>(null);
  const openBelow = () => {
    const box = button.current?.getBoundingClientRect();
    setAt({ x: box?.left ?? 0, y: box?.bottom ?? 0 });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actions.find(({ key }) => key === keyName(event));
    if (opensMenu(event)) openBelow();
    else if (action !== undefined) action.run();
    else return;
    event.preventDefault();
  };
  return {
    button,
    /** Handlers for the button. */
    handlers: { onClick: openBelow, onKeyDown: pressed, 'aria-haspopup': 'menu' as const },
    /** Handlers for the button, or for the element around it. */
    press: useMenuPress((x, y) => setAt({ x, y })),
    element: at !== undefined && (
      <ContextMenu
        title={title}
        heading={title}
        groups={[actions]}
        x={at.x}
        y={at.y}
        onClose={() => {
          setAt(undefined);
          button.current?.focus();
        }}
      />
    ),
  };
}
