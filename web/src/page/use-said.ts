// Runs actions, and keeps the result of the last action, or the reason why it failed, for a line
// next to its button.
import { useEffect, useState } from 'react';

/** Time for which a message over the page is shown. */
export const saidMillis = 6_000;

/** The message, and a function that runs an action and sets the message to its result or error. */
export interface ReportTexts {
  /** Message of the last action; "" before an action, and while it runs. */
  readonly said: string;
  readonly act: (work: () => Promise<string>) => Promise<void>;
}

/** Returns the message of the last action; it is removed after `shownMillis`, if given. */
export function useSaid(shownMillis?: number): ReportTexts {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '' || shownMillis === undefined) return undefined;
    const timer = setTimeout(() => setSaid(''), shownMillis);
    return () => clearTimeout(timer);
  }, [said, shownMillis]);
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
