// Dialog of saved views: saves the current view, and lists, opens, renames and removes views.
import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { useApp } from '../page/app-context.ts';
import {
  addView,
  changeView,
  removeView,
  type SavedView,
  useSavedViews,
} from '../page/saved-views.ts';
import { useSaid } from '../page/use-said.ts';
import { Icon } from '../parts/icon.tsx';
import { ModalDialog } from '../parts/modal-dialog.tsx';
import { currentAddress } from './current-address.ts';
import '../styles/help.css';
import '../styles/views.css';

/** The dialog. */
export function ViewsDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { said, act } = useSaid();
  const views = useSavedViews();
  return (
    <ModalDialog dialog={dialog} className="views-dialog" label="Saved views" onClose={onClose}>
      <SaveForm onAct={(work) => void act(work)} />
      <p className="hint" role="status">
        {said}
      </p>
      {views?.length === 0 && (
        <p className="hint">No view is saved. Favourites are links on the start page.</p>
      )}
      <ul className="views-list" aria-label="Views">
        {views?.map((view) => (
          <ViewRow
            key={`${view.isOwn} ${view.id}`}
            view={view}
            onAct={(work) => void act(work)}
            onOpen={() => dialog.current?.close()}
          />
        ))}
      </ul>
    </ModalDialog>
  );
}

type Act = (work: () => Promise<string>) => void;

/** Form that saves the current view. */
function SaveForm({ onAct }: { readonly onAct: Act }) {
  const { base, url } = useApp();
  const [name, setName] = useState('');
  const [isFavourite, setFavourite] = useState(false);
  const save = (event: FormEvent) => {
    event.preventDefault();
    onAct(async () => {
      const view = { name: name.trim(), address: currentAddress(url), isFavourite };
      const { isOwn } = await addView(base, view);
      setName('');
      return isOwn
        ? 'Saved in this browser: you may not write on this server.'
        : 'Saved on the server, for everybody who uses it.';
    });
  };
  return (
    <form className="views-save" onSubmit={save}>
      <input
        className="input"
        aria-label="Name of this view"
        placeholder="Name of this view"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <label>
        <input
          type="checkbox"
          checked={isFavourite}
          onChange={({ target }) => setFavourite(target.checked)}
        />{' '}
        Favourite
      </label>
      <button type="submit" className="button primary">
        Save this view
      </button>
    </form>
  );
}

interface ViewRowProps {
  readonly view: SavedView;
  readonly onAct: Act;
  readonly onOpen: () => void;
}

function ViewRow({ view, onAct, onOpen }: ViewRowProps) {
  const { base, url } = useApp();
  const [name, setName] = useState<string>();
  const href = new URL(view.address, base).pathname + new URL(view.address, base).search;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen();
    url.goTo(href);
  };
  const change = (patch: Partial<SavedView>, said: string) =>
    onAct(async () => {
      await changeView(base, { ...view, ...patch });
      setName(undefined);
      return said;
    });
  const { isFavourite } = view;
  return (
    <li>
      <button
        type="button"
        className="button quiet"
        aria-pressed={isFavourite}
        aria-label={`Favourite: ${view.name}`}
        title={isFavourite ? 'No longer a favourite' : 'Make it a favourite'}
        onClick={() => change({ isFavourite: !isFavourite }, `Changed ${view.name}`)}
      >
        <span aria-hidden>{isFavourite ? '★' : '☆'}</span>
      </button>
      {name === undefined ? (
        <>
          <a href={href} title={view.address} onClick={open}>
            {view.name}
          </a>
          {view.isOwn && <span className="hint">in this browser</span>}
          <button
            type="button"
            className="button quiet"
            aria-label={`Rename ${view.name}`}
            onClick={() => setName(view.name)}
          >
            Rename
          </button>
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change({ name: name.trim() }, `Renamed to ${name.trim()}`);
          }}
        >
          <input
            className="input"
            aria-label={`New name of ${view.name}`}
            required
            maxLength={100}
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" className="button">
            Rename
          </button>
        </form>
      )}
      <button
        type="button"
        className="button quiet"
        aria-label={`Remove ${view.name}`}
        title="Remove"
        onClick={() =>
          onAct(async () => {
            await removeView(base, view);
            return `Removed ${view.name}`;
          })
        }
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
