// Derives links from the build information of a Go program: its commit, main module and Go version.
import { kindOfHost, repositoryTemplate } from '../../config/source-links.ts';
import type { GoBuild } from '../../model/go-build.ts';
import { fillTemplate } from './fill-template.ts';
import { goLink, type ModuleLink, repositoryOf, tagOf } from './module-links.ts';

/** Returns the commit or the tag of the main module; "" if the program has neither. */
export function versionOfBuild({ revision, module, version }: GoBuild): string {
  if (revision !== '') return revision;
  const tag = version.replace(/\+dirty$/, '');
  return tag === '' ? '' : tagOf(tag, repositoryOf(module)?.folder ?? '');
}

/**
 * Returns the link of a file of Go's own library, or of the main module. The module's repository
 * must be at a public site, because anyone can upload a program with false build information. The
 * path of a file in the module must begin with the path of the module (as -trimpath leaves it), or
 * contain a folder with the name of the repository.
 */
export function linkOfBuild(build: GoBuild, path: string): ModuleLink | undefined {
  const { goVersion, module } = build;
  const [, inGo] = /(?:^|\/)go\/src\/((?!.*\.\w+\/)[a-z].*)$/.exec(path) ?? [];
  if (inGo !== undefined) return isRelease(goVersion) ? goLink(inGo, goVersion) : undefined;
  const place = repositoryOf(module);
  const version = versionOfBuild(build);
  const [, host, name] = /^https:\/\/([^/]+)\/.*?([^/]+)$/.exec(place?.repository ?? '') ?? [];
  const kind = kindOfHost(host ?? '');
  if (place === undefined || kind === undefined || version === '') return undefined;
  const { repository, folder } = place;
  const isOfModule = path.startsWith(`${module}/`);
  const at = path.indexOf(`/${name}/`);
  if (!isOfModule && at < 0) return undefined;
  const rest = path.slice(isOfModule ? module.length + 1 : at + name.length + 2);
  const template = repositoryTemplate(repository, kind, isOfModule ? folder : '');
  const url = fillTemplate(template, rest, version);
  if (url === undefined) return undefined;
  return { title: repository.slice('https://'.length), url, version };
}

function isRelease(goVersion: string): boolean {
  return /^go\d+\.\d+(?:\.\d+|rc\d+|beta\d+)?$/.test(goVersion);
}
