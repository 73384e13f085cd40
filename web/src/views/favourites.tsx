// Favourite saved views, as links on the start page.
import type { MouseEvent } from 'react';
import { useApp } from '../page/app-context.ts';
import { useSavedViews } from '../page/saved-views.ts';
import '../styles/views.css';

/** The links; nothing if there are no favourites. */
export function Favourites() {
  const { base, url } = useApp();
  const favourites = useSavedViews()?.filter(({ isFavourite }) => isFavourite) ?? [];
  if (favourites.length === 0) return null;
  return (
    <ul className="favourites" aria-label="Favourites">
      {favourites.map(({ id, name, address }) => {
        const { pathname, search } = new URL(address, base);
        const open = (event: MouseEvent) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
          event.preventDefault();
          url.goTo(pathname + search);
        };
        return (
          <li key={id}>
            <a href={pathname + search} onClick={open}>
              <span aria-hidden>★</span> {name}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
