// Commands that components offer to the palette.
import { useEffect, useMemo, useRef } from 'react';
import { Store, useStore } from './store.ts';

/** One line of the palette. */
export interface Command {
  /** Heading of the command: `Go to`, `Time`, `Service`, ... */
  readonly kind: string;
  readonly title: string;
  readonly run: () => void;
}

type List = () => readonly Command[];

const lists = new Store<readonly { readonly current: List }[]>([]);

/** Offers commands while the component is mounted; `list` is called when the palette opens. */
export function useCommands(list: List): void {
  const latest = useRef(list);
  latest.current = list;
  useEffect(() => {
    lists.set([...lists.get(), latest]);
    return () => lists.set(lists.get().filter((list) => list !== latest));
  }, []);
}

/** Returns the offered commands, updated when components are mounted and unmounted. */
export function useOffered(): readonly Command[] {
  const offered = useStore(lists);
  return useMemo(() => offered.flatMap((list) => list.current()), [offered]);
}
