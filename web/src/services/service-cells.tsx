// Cells of a service in the table and in the grid: links and memory.
import type { MouseEvent } from 'react';
import { formatBytes } from '../format/numbers.ts';
import { useApp } from '../page/app-context.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import type { UrlStore } from '../url/url-store.ts';
import type { ServiceRow } from './service-rows.ts';

/** Returns the query for a service's profiles of a type. */
export function serviceQuery({ label, name }: ServiceRow, type: string): string {
  return `${type}{${label}=${JSON.stringify(name)}}`;
}

/** Returns the URL of a query on Explore, and the handler for a click on its link. */
export function serviceLink(url: UrlStore, query: string) {
  const { state } = url.get();
  const ofList = { serviceSearch: '', serviceOrder: 'cores', serviceLayout: 'table' } as const;
  const href = url.formatHref('explore', { ...state, ...ofList, query });
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    url.goTo(href);
  };
  return { href, open };
}

/** Shows the memory in use and its line, as a link to the profiles; nothing if there are none. */
export function Memory({ row }: { readonly row: ServiceRow }) {
  const { url } = useApp();
  const { bytes, memoryType, memoryPoints, name } = row;
  if (bytes === undefined) return null;
  const { href, open } = serviceLink(url, serviceQuery(row, memoryType));
  return (
    <>
      <a href={href} title={`Memory of ${name}`} onClick={open}>
        {formatBytes(bytes)}
      </a>
      <Sparkline points={memoryPoints} mark={undefined} />
    </>
  );
}
