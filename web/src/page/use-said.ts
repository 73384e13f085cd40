// The result of an action, or why it failed, for a line next to its button.
import { useState } from 'react';

/** The words, and a function that runs an action and shows what it returns, or its error. */
export interface Said {
  /** "" before an action, and while it runs. */
  readonly said: string;
  readonly act: (work: () => Promise<string>) => Promise<void>;
}

/** Returns the words of the last action. */
export function useSaid(): Said {
  const [said, setSaid] = useState('');
  const act = async (work: () => Promise<string>) => {
    setSaid('');
    try {
      setSaid(await work());
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
  };
  return { said, act };
}
