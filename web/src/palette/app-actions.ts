// Commands that every page has: help, time zone, colours, session.
import type { Command } from '../page/commands.ts';
import { chooseTheme } from '../page/theme.ts';
import type { UrlStore } from '../url/url-store.ts';

/** Actions of the frame of the page. */
export interface FrameActions {
  readonly onHelp: () => void;
  /** Undefined if nobody is logged in. */
  readonly onLogOut: (() => void) | undefined;
}

/** Returns the commands. */
export function appActions(url: UrlStore, { onHelp, onLogOut }: FrameActions): Command[] {
  const command = (title: string, run: () => void): Command => ({ kind: 'Do', title, run });
  return [
    command('Show all keys', onHelp),
    command('Show times in UTC, or in local time', () =>
      url.change({ utc: !url.get().state.utc }, 'adjust'),
    ),
    command('Light colours', () => chooseTheme('light')),
    command('Dark colours', () => chooseTheme('dark')),
    command('Colours of the system', () => chooseTheme('system')),
    ...(onLogOut === undefined ? [] : [command('Log out', onLogOut)]),
  ];
}
