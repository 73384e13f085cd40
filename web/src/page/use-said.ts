// Result of an action, or the reason why it failed, for a line next to its button.
import { useState } from 'react';

/** The message, and a function that runs an action and sets the message to its result or error. */
export interface Said {
  /** Message of the last action; "" before an action, and while it runs. */
  readonly said: string;
  readonly act: (work: () => Promise<string>) => Promise<void>;
}

/** Returns the message of the last action. */
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
