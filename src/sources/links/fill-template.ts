// Fills untrusted names into the template of a link, so that they cannot change its other parts.
import type { LinkTemplate } from '../../config/source-links.ts';

/** Characters of commits, tags and branches. */
const versionForm = /^[\w.+/-]{1,200}$/;
const pathLengthMax = 1_000;

/**
 * Returns the link; undefined for a path that leads out of the repository, and for a string that
 * cannot be a version. The placeholder for the line is kept.
 */
export function fillTemplate(
  template: LinkTemplate,
  path: string,
  version: string,
): string | undefined {
  const text = templateFor(template, version);
  const file = encodePath(path);
  if (file === undefined) return undefined;
  if (!text.includes('{commit}')) return text.replaceAll('{path}', () => file);
  const commit = versionForm.test(version) ? encodePath(version) : undefined;
  if (commit === undefined) return undefined;
  return text.replaceAll('{commit}', () => commit).replaceAll('{path}', () => file);
}

/** Returns true if a version is a commit's hash or the beginning of a hash. */
function isCommit(version: string): boolean {
  return /^[\da-f]{7,64}$/.test(version);
}

function templateFor({ commit, tag, branch }: LinkTemplate, version: string): string {
  if (isCommit(version)) return commit;
  return /\d/.test(version) ? tag : branch;
}

/**
 * Encodes each part of a path, but keeps the colon of a Windows drive. Returns undefined for paths
 * with "." or "..".
 */
function encodePath(path: string): string | undefined {
  const parts = path.toWellFormed().replace(/^\/+/, '').split('/');
  if (path.length > pathLengthMax || parts.some((part) => /^(\.{0,2})$/.test(part))) {
    return undefined;
  }
  return parts.map((part) => encodeURIComponent(part).replaceAll('%3A', ':')).join('/');
}
