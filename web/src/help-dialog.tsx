// The keyboard shortcuts.
import { useRef } from 'react';
import { hasLetterKeys, setLetterKeys } from './page/keys.ts';
import { ModalDialog } from './parts/modal-dialog.tsx';
import './styles/help.css';

const sections: readonly (readonly [
  title: string,
  keys: readonly (readonly [string, string])[],
])[] = [
  [
    'Everywhere',
    [
      ['/', 'search functions'],
      ['Ctrl Enter  Alt Enter', 'in the search: keep, drop the matches'],
      ['[  ]', 'move the range half back, half forth'],
      ['-  =', 'wider, narrower range'],
      ['0', 'reset zoom'],
      ['v', 'compare with the version before, or the time before'],
      ['u', 'percent, rate, total'],
      ['S', 'copy a link to what you see'],
      ['T', 'times of samples: drag in them, or Shift with arrows and Enter'],
      ['← →  Enter  m', 'in the graph over time: move, select, mark'],
      ['g s,  g e,  g t', 'Services, Explore, Targets'],
      ['g l,  g n', 'Alerts, Findings'],
      ['g a,  g y', 'Agents, Symbols'],
      ['g f,  g u', 'Files, Status'],
      ['Ctrl K', 'go to, do, find: by a few letters'],
      ['Ctrl Enter', 'run the query'],
      ['Esc', 'close, cancel, clear search, zoom out'],
      ['?', 'this list'],
    ],
  ],
  [
    'In the icicle',
    [
      ['Arrows', 'caller, widest callee, siblings'],
      ['Home  End', 'root, end of the widest path'],
      ['Enter', 'zoom to the frame'],
      ['Backspace', 'zoom out one step'],
      ['n  N', 'next, previous match'],
      ['w', 'highlight this function everywhere'],
      ['*', 'search this name'],
      ['t', 'pin the details'],
      ['y  Y  L', 'copy name, stack, link'],
      ['Ctrl wheel', 'zoom; in the graph over time, the wheel alone'],
      ['Drag', 'zoom to a range; in a zoomed graph pan, with Shift zoom'],
      ['Shift wheel', 'pan'],
      ['← →', 'in the call tree: close, open'],
    ],
  ],
  [
    'On a frame or a function',
    [
      ['.  Shift F10', 'menu'],
      ['s  c  r', 'sandwich, callers, root here'],
      ['U', 'who uses it: all services'],
      ['e', 'lines of its file; n  N there: next, previous line with a value'],
      ['k  d  h', 'keep, drop its stacks, fold it'],
      ['C', 'collapse its binary to the functions it is entered by'],
      ['R', 'collapse recursion'],
      ['i', 'invert'],
      ['f  b  l', 'split by file, binary, label'],
    ],
  ],
  [
    'On a stage',
    [
      ['Shift ←  →', 'move it'],
      ['Delete', 'remove it'],
    ],
  ],
  [
    'On a mark of the graph over time',
    [
      ['Enter', 'of a deploy: compare with the version before'],
      ['b  s', 'compare the time after it with the time before, select it'],
      ['n  Delete', 'of your own: name it, remove it'],
    ],
  ],
];

/** The dialog of the keyboard shortcuts. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <ModalDialog dialog={dialog} label="Keyboard shortcuts" onClose={onClose}>
      <label className="help-letters">
        <input
          type="checkbox"
          defaultChecked={hasLetterKeys()}
          onChange={(event) => setLetterKeys(event.target.checked)}
        />{' '}
        Keys of a single character work outside of lists, menus and the graph
      </label>
      <div className="help-columns">
        {sections.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </ModalDialog>
  );
}
