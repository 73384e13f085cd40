// Banner for a user whose session has ended, with which the user can log in without leaving the
// view.
import { type FormEvent, useState } from 'react';
import { noteLogin } from '../page/session.ts';
import { Icon } from '../parts/icon.tsx';

/** The banner with a form for a token; loaded data stays visible. `base` is the server's URL. */
export function LoggedOut({ base }: { readonly base: string }) {
  const [said, setSaid] = useState('');
  const logIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const token = fields.get('token');
    setSaid('');
    const why = await sendToken(base, typeof token === 'string' ? token : '');
    if (why === undefined) noteLogin();
    else setSaid(why);
  };
  return (
    <form
      className="server-away logged-out"
      aria-label="Log in"
      onSubmit={(event) => void logIn(event)}
    >
      <Icon name="warning" />
      <span role="alert">
        <b>You are logged out.</b> What you see is the last result. {said}
      </span>
      <label>
        Token{' '}
        <input
          className="input"
          name="token"
          type="password"
          required
          autoComplete="current-password"
        />
      </label>
      <button type="submit" className="button">
        Log in
      </button>
      <button type="button" className="button quiet" onClick={() => location.reload()}>
        Reload
      </button>
    </form>
  );
}

/**
 * Sends a token to the server's form; returns the reason for a refusal, or undefined if the token
 * was accepted.
 */
async function sendToken(base: string, token: string): Promise<string | undefined> {
  try {
    const body = new URLSearchParams({ token, to: new URL(base).pathname });
    const answer = await fetch(`${base}login`, { method: 'POST', body, redirect: 'manual' });
    // After a successful login, the server redirects to a page.
    if (answer.ok || answer.type === 'opaqueredirect') return undefined;
    const form = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const why = form.querySelector('[role="alert"]')?.textContent?.trim() ?? '';
    return why === '' ? `The server answered HTTP ${answer.status}.` : why;
  } catch {
    return 'The server cannot be reached.';
  }
}
