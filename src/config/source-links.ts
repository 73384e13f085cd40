// Rules for links from a line of source to a repository or an editor.
import { AppError } from '../base/errors.ts';

/** An entry of `source_links`. */
export interface SourceLinkRule {
  /** Text of the link. */
  readonly title: string;
  /** Prefix of the names of the rule's files, which is removed from them; "" = all files. */
  readonly prefix: string;
  /** Labels and values that a series must have; an empty map matches all series. */
  readonly labels: ReadonlyMap<string, string>;
  /** Address with the placeholders {path} and {line}, and {commit} if a commit is known. */
  readonly template: LinkTemplate;
  /** Labels that may contain the commit; the first one that a series has is used. */
  readonly commitLabels: readonly string[];
  /** Commit, tag or branch for series without these labels; "" = such series get no link. */
  readonly commit: string;
}

/** Addresses for each type of version, because some sites have different paths for them. */
export interface LinkTemplate {
  readonly commit: string;
  readonly tag: string;
  readonly branch: string;
}

/** Kinds of sites whose addresses are known. */
export const repositoryKinds = ['github', 'gitlab', 'gitea'] as const;
export type RepositoryKind = (typeof repositoryKinds)[number];

/** Labels that several clients use for a commit or a version; the most exact one is first. */
export const commitLabelsDefault: readonly string[] = [
  'vcs_ref_head_revision',
  'service_git_ref',
  'commit',
  'git_commit',
  'git_ref',
  'revision',
  'version',
  'service_version',
];

const kindsOfHosts: ReadonlyMap<string, RepositoryKind> = new Map([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['codeberg.org', 'gitea'],
  ['gitea.com', 'gitea'],
]);

/**
 * Schemes that links may have. Other schemes could run scripts, or open programs that take
 * commands.
 */
const schemes = ['http:', 'https:', 'vscode:', 'vscode-insiders:'];
const placeholders = ['{path}', '{line}', '{commit}'];
const linkLengthMax = 2_000;

/** Returns the kind of site at a public host; undefined for other hosts. */
export function kindOfHost(host: string): RepositoryKind | undefined {
  return kindsOfHosts.get(host);
}

/**
 * Returns a template that is the same for all types of versions.
 *
 * Errors: AppError 'invalid-argument' for another scheme, for an unknown placeholder, and for a
 * placeholder in the name of the server.
 */
export function readTemplate(text: string): LinkTemplate {
  const fail = (why: string): never => {
    throw new AppError('invalid-argument', `cannot use template ${JSON.stringify(text)}: ${why}`);
  };
  const unknown = text.match(/\{[^{}]*\}/g)?.find((one) => !placeholders.includes(one));
  if (unknown !== undefined) {
    fail(`${unknown} is unknown, expected ${placeholders.join(', ')}`);
  }
  if (!text.includes('{path}')) fail('it has no {path}');
  if (text.length > linkLengthMax) fail(`it has more than ${linkLengthMax} characters`);
  const [fixed] = text.split('{');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !schemes.includes(url.protocol)) {
    return fail(`expected an address of ${schemes.map((name) => `${name}//`).join(', ')}`);
  }
  if (url.username !== '' || url.password !== '') fail('it has a user or a password');
  if (!/^[a-z-]+:\/\/[^/{?#]+\//.test(fixed)) fail('the name of the server must be fixed');
  return { commit: text, tag: text, branch: text };
}

/**
 * Returns the template for a repository. `kind` may be undefined if the site is public. File names
 * are relative to `folder` of the repository.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function repositoryTemplate(
  address: string,
  kind: RepositoryKind | undefined,
  folder = '',
): LinkTemplate {
  const fail = (why: string): never => {
    const what = `cannot use repository ${JSON.stringify(address)}`;
    throw new AppError('invalid-argument', `${what}: ${why}`);
  };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return fail('expected an address of https:// or http://');
  }
  if (url.username !== '' || url.password !== '') fail('it has a user or a password');
  if (url.search !== '' || url.hash !== '' || /[{}\s]/.test(address)) {
    fail('expected only a server and a path');
  }
  const path = url.pathname.replace(/\.git$/, '').replace(/\/+$/, '');
  if (path === '') fail('it has no path');
  const known = kind ?? kindOfHost(url.host);
  if (known === undefined) {
    return fail(`kind is missing for ${url.host}, expected one of ${repositoryKinds.join(', ')}`);
  }
  const root = `${url.protocol}//${url.host}${path}`;
  const file = `${folder === '' ? '' : `${folder.replace(/^\/+|\/+$/g, '')}/`}{path}#L{line}`;
  return templates[known](root, file);
}

const templates: Readonly<Record<RepositoryKind, (root: string, file: string) => LinkTemplate>> = {
  github: (root, file) => sameForAll(`${root}/blob/{commit}/${file}`),
  gitlab: (root, file) => sameForAll(`${root}/-/blob/{commit}/${file}`),
  gitea: (root, file) => ({
    commit: `${root}/src/commit/{commit}/${file}`,
    tag: `${root}/src/tag/{commit}/${file}`,
    branch: `${root}/src/branch/{commit}/${file}`,
  }),
};

function sameForAll(text: string): LinkTemplate {
  return { commit: text, tag: text, branch: text };
}
