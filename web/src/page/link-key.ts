// Key that copies a link. The code that copies is loaded later, so an early key press waits for it.
import { useEffect, useEffectEvent } from 'react';
import { Store, useStore } from './store.ts';

/** Time for which browsers allow copying after a key press. */
const waitMillisMax = 5_000;

/** Time at which the key was pressed; 0 if nothing waits. */
const pressed = new Store(0);

/** Copies the link as soon as a component offers that. */
export function wantLink(): void {
  pressed.set(Date.now());
}

/** Calls `copy` when the key is pressed, or at once if it was pressed shortly before. */
export function useLinkKey(copy: () => void): void {
  const copyNow = useEffectEvent(copy);
  const at = useStore(pressed);
  useEffect(() => {
    if (at === 0) return;
    pressed.set(0);
    if (Date.now() - at <= waitMillisMax) copyNow();
  }, [at]);
}
