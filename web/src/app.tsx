// Frame of all pages: navigation, theme, help, and the page of the current route.
import {
  type ComponentType,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ExplorePage } from './explore/explore-page.tsx';
import { useApp, usePlace } from './page/app-context.ts';
import { useFacts } from './page/facts.ts';
import { expectFirstGraph, firstGraph } from './page/first-graph.ts';
import { useLoaded, useMedia } from './page/hooks.ts';
import { isTyping } from './page/keys.ts';
import { wantLink } from './page/link-key.ts';
import { useLoggedOut } from './page/session.ts';
import { chooseTheme, useTheme } from './page/theme.ts';
import { Icon } from './parts/icon.tsx';
import { Logo } from './parts/logo.tsx';
import { Popover } from './parts/popover.tsx';
import { localBase } from './rpc/local.ts';

// Most visits are to the explore page; other pages are loaded when they are opened.
const StartPage = part(async () => (await import('./services/services-page.tsx')).StartPage);
const ServicesPage = part(async () => (await import('./services/services-page.tsx')).ServicesPage);
const UsersPage = part(async () => (await import('./users/users-page.tsx')).UsersPage);
const TargetsPage = part(async () => (await import('./targets/targets-page.tsx')).TargetsPage);
const FilesPage = part(async () => (await import('./files/files-page.tsx')).FilesPage);
const AlertsPage = part(async () => (await import('./alerts/alerts-page.tsx')).AlertsPage);
const FindingsPage = part(async () => (await import('./findings/findings-page.tsx')).FindingsPage);
const AgentsPage = part(async () => (await import('./agents/agents-page.tsx')).AgentsPage);
const SymbolsPage = part(async () => (await import('./symbols/symbols-page.tsx')).SymbolsPage);
const StatusPage = part(async () => (await import('./status/status-page.tsx')).StatusPage);
const Palette = part(async () => (await import('./palette/palette.tsx')).Palette);
const ViewsDialog = part(async () => (await import('./views/views-dialog.tsx')).ViewsDialog);
const NotFound = part(async () => (await import('./states/not-found.tsx')).NotFound);
const HelpDialog = part(async () => (await import('./help-dialog.tsx')).HelpDialog);

/** Returns a component that is loaded when it is first shown. */
function part<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const loaded = await load().catch((): ComponentType<Props> => NotLoaded);
    return { default: loaded };
  });
}

function NotLoaded() {
  return (
    <p className="server-away" role="alert">
      <Icon name="warning" />
      <span>This cannot be loaded now. The page is loaded again when the server answers.</span>
    </p>
  );
}

/**
 * Loads the notes at the top of the page in advance. Two of them, that the server is away and the
 * login form, are shown when the server no longer serves files.
 */
async function loadNotes() {
  const [away, clock, login, link] = await Promise.all([
    import('./states/server-away.tsx'),
    import('./states/wrong-clock.tsx'),
    import('./states/logged-out.tsx'),
    import('./share/copy-link.tsx'),
  ]);
  return { away, clock, login, link };
}

/** Pages by route; other routes show that there is no such page. */
const pages: ReadonlyMap<string, () => ReactNode> = new Map([
  ['', () => <StartPage />],
  ['services', () => <ServicesPage />],
  ['explore', () => <ExplorePage />],
  ['users', () => <UsersPage />],
  ['targets', () => <TargetsPage />],
  ['file', () => <FilesPage />],
  ['alerts', () => <AlertsPage />],
  ['findings', () => <FindingsPage />],
  ['agents', () => <AgentsPage />],
  ['symbols', () => <SymbolsPage />],
  ['status', () => <StatusPage />],
]);

/** Pages in the header's navigation. */
const navigation = [
  ['services', 'Services'],
  ['explore', 'Explore'],
  ['targets', 'Targets'],
  ['alerts', 'Alerts'],
  ['findings', 'Findings'],
  ['agents', 'Agents'],
  ['symbols', 'Symbols'],
  ['file', 'Files'],
  ['status', 'Status'],
] as const;

/** Pages in the palette. */
const palettePages = [...navigation, ['users', 'Who uses']] as const;

/** The complete app. */
export function App() {
  const { route } = usePlace();
  const [help, setHelp] = useState(false);
  const { base, url } = useApp();
  const [isFinding, setFinding] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const takeTyped = useTypedAhead(isFinding);
  useGlobalKeys(
    () => setHelp(true),
    () => setFinding(true),
  );
  const facts = useFacts();
  const isLoggedOut = useLoggedOut();
  const later = useLoaded(loadNotes);
  const page = pages.get(route);
  useEffect(() => {
    const load = async () => {
      await firstGraph;
      const { loadOwnPrefixes } = await import('./page/keep-own-code.ts');
      await loadOwnPrefixes(base);
    };
    if (base !== localBase) void load();
  }, [base]);
  return (
    <>
      <a className="skip-link" href={`${url.formatHref(route)}#main`}>
        Skip to content
      </a>
      <header className="app-header">
        <span className="brand">
          {url.onlyRoute === undefined && <Logo />}
          <span className="brand-name wide-only">Parca</span>
        </span>
        {url.onlyRoute === undefined && <Navigation />}
        <div className="spacer" />
        <TimeZoneButton />
        <ThemeButton />
        {facts.isLoggedIn && <LogoutButton />}
        {url.onlyRoute === undefined && (
          <button
            type="button"
            className="button quiet"
            aria-label="Saved views"
            title="Saved views"
            onClick={() => setSaving(true)}
          >
            <Icon name="star" />
          </button>
        )}
        <button
          type="button"
          className="button quiet"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => setHelp(true)}
        >
          ?
        </button>
      </header>
      {later && <later.away.ServerAway />}
      {later && <later.clock.WrongClock />}
      {later && route !== 'explore' && route !== 'file' && <later.link.CopyLink />}
      {later && isLoggedOut && <later.login.LoggedOut base={base} />}
      <main id="main" tabIndex={-1}>
        <Suspense>{page === undefined ? <NotFound /> : page()}</Suspense>
      </main>
      <Suspense>{isSaving && <ViewsDialog onClose={() => setSaving(false)} />}</Suspense>
      <Suspense>{help && <HelpDialog onClose={() => setHelp(false)} />}</Suspense>
      <Suspense>
        {isFinding && (
          <Palette
            takeTyped={takeTyped}
            pages={url.onlyRoute === undefined ? palettePages : []}
            onHelp={() => setHelp(true)}
            onLogOut={facts.isLoggedIn ? () => void logOut(base) : undefined}
            onViews={() => setSaving(true)}
            onClose={() => setFinding(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** Links to the pages; a menu if there is no space for the links. */
function Navigation() {
  const { route } = usePlace();
  const isNarrow = useMedia('(max-width: 1023px)');
  const links = (
    <nav aria-label="Pages">
      {navigation.map(([to, title]) => (
        <NavLink key={to} route={to} active={route === to}>
          {title}
          {to === 'findings' && <OpenFindings />}
        </NavLink>
      ))}
    </nav>
  );
  if (!isNarrow) return links;
  const title = palettePages.find(([to]) => to === route)?.[1] ?? 'Pages';
  return (
    <Popover
      className="pages-menu"
      title={`${title}: other pages`}
      label={
        <>
          {title}
          <OpenFindings />
          <Icon name="down" />
        </>
      }
    >
      {(close) => <div onClick={close}>{links}</div>}
    </Popover>
  );
}

/** The number of open findings, which is loaded after the first graph. */
function OpenFindings() {
  const count = useLoaded(() => import('./findings/findings-count.tsx'));
  useEffect(expectFirstGraph, []);
  return count && <count.FindingsCount />;
}

function useGlobalKeys(showHelp: () => void, find: () => void): void {
  const { url } = useApp();
  useEffect(() => {
    let afterG = false;
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        find();
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const route = afterG
        ? new Map([
            ['s', 'services'],
            ['e', 'explore'],
            ['t', 'targets'],
            ['l', 'alerts'],
            ['n', 'findings'],
            ['a', 'agents'],
            ['y', 'symbols'],
            ['f', 'file'],
            ['u', 'status'],
          ]).get(event.key)
        : undefined;
      afterG = event.key === 'g';
      if (event.key === '?') showHelp();
      if (event.key === 'S') wantLink();
      if (route !== undefined) {
        event.stopImmediatePropagation();
        url.goTo(url.formatHref(route));
      }
    };
    addEventListener('keydown', pressed, { capture: true });
    return () => removeEventListener('keydown', pressed, { capture: true });
  }, [url, showHelp, find]);
}

/**
 * Records the keys that are typed after the palette's shortcut while the palette's module is
 * loading. Returns a function that returns these keys as a string; from then on, the palette's
 * input gets the keys.
 */
function useTypedAhead(isFinding: boolean): () => string {
  const typed = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!isFinding) return undefined;
    typed.current ??= '';
    const pressed = (event: KeyboardEvent) => {
      if (typed.current === undefined || document.querySelector('.palette[open]') !== null) return;
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      typed.current += event.key;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', pressed, { capture: true });
    return () => {
      typed.current = undefined;
      removeEventListener('keydown', pressed, { capture: true });
    };
  }, [isFinding]);
  return () => typed.current ?? '';
}

interface NavLinkProps {
  readonly route: string;
  readonly active: boolean;
  readonly children: ReactNode;
}

function NavLink({ route, active, children }: NavLinkProps) {
  const { url } = useApp();
  const href = url.formatHref(route);
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    url.goTo(href);
  };
  return (
    <a href={href} aria-current={active ? 'page' : undefined} onClick={go}>
      {children}
    </a>
  );
}

function TimeZoneButton() {
  const { url } = useApp();
  const { utc } = usePlace().state;
  return (
    <button
      type="button"
      className="button quiet"
      title="Times are shown in this zone"
      onClick={() => url.change({ utc: !utc }, 'adjust')}
    >
      {utc ? 'UTC' : 'Local'}
      <span className="wide-only"> time</span>
    </button>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="button quiet"
      aria-label={`Change to ${other} colours`}
      title={`Change to ${other} colours`}
      onClick={() => chooseTheme(other)}
    >
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </button>
  );
}

async function logOut(base: string): Promise<void> {
  await fetch(`${base}logout`, { method: 'POST' });
  // The server responds with its login form.
  location.reload();
}

function LogoutButton() {
  const { base } = useApp();
  return (
    <button type="button" className="button quiet" onClick={() => void logOut(base)}>
      Log out
    </button>
  );
}
