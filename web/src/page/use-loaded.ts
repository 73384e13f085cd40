// Modules that are too large for the first load of the page.
import { useEffect, useState } from 'react';

/** What `load` resolves to, `undefined` until then. `load` is called once. */
export function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  useEffect(() => {
    let mounted = true;
    const run = async () => {
      const found = await load();
      if (mounted) setLoaded(() => found);
    };
    void run();
    return () => {
      mounted = false;
    };
  }, []);
  return loaded;
}
