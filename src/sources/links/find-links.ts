// Finds links from a source file to repositories and editors, using rules, labels and the file's
// name.
import {
  commitLabelsDefault,
  kindOfHost,
  repositoryTemplate,
  type SourceLinkRule,
} from '../../config/source-links.ts';
import { withSlashes } from '../../model/file-path.ts';
import type { GoBuild } from '../../model/go-build.ts';
import type { LabelSet } from '../../model/labels.ts';
import { linkOfBuild, versionOfBuild } from './build-links.ts';
import { fillTemplate } from './fill-template.ts';
import { moduleLink, type ModuleLink } from './module-links.ts';

/** A link to a file. {line} in its address stands for the number of the line. */
interface SourceLink extends ModuleLink {
  /** True if the program was built with changes that the commit does not have. */
  readonly isModified?: boolean;
}

/** Maximum number of links of one file, because a selection may have hundreds of versions. */
const sourceLinksMax = 8;

/**
 * Returns the links of a file in series with these labels. Links from rules come first, then the
 * link that follows from the file's name or from `build`, then links from labels that name a
 * repository. A rule applies to the series that it matches, and gives a link for each of their
 * versions. `build` describes the build of the program. Its commit is used for series that have no
 * label for the commit.
 */
export function findLinks(
  rules: readonly SourceLinkRule[],
  file: string,
  series: readonly LabelSet[],
  build?: GoBuild,
): readonly SourceLink[] {
  const path = withSlashes(file).replace(/^file:\/\//, '');
  const known = moduleLink(path);
  const ofBuild = known ?? (build && linkOfBuild(build, path));
  const links: ModuleLink[] = [
    ...rules.flatMap((rule) => linksOfRule(rule, path, series, build)),
    ...(ofBuild === undefined ? [] : [ofBuild]),
    ...(known === undefined ? series.flatMap((labels) => linkOfLabels(labels, path)) : []),
  ];
  const distinct = [...new Map(links.map((link) => [link.url, link])).values()];
  return distinct.slice(0, sourceLinksMax).map((link) => {
    const isOfBuild = build?.isModified === true && link.version === versionOfBuild(build);
    return isOfBuild ? { ...link, isModified: true } : link;
  });
}

function linksOfRule(
  rule: SourceLinkRule,
  path: string,
  series: readonly LabelSet[],
  build: GoBuild | undefined,
): readonly ModuleLink[] {
  const { prefix, labels, template, title, commitLabels } = rule;
  if (!path.startsWith(prefix)) return [];
  const matching = series.filter((one) =>
    [...labels].every(([name, value]) => labelValue(one, name) === value),
  );
  if (labels.size > 0 && matching.length === 0) return [];
  const commit = (build && versionOfBuild(build)) || rule.commit;
  const versions = matching.map((one) => firstLabel(one, commitLabels) ?? commit);
  const rest = path.slice(prefix.length);
  return (versions.length === 0 ? [commit] : [...new Set(versions)]).flatMap((version) => {
    const url = fillTemplate(template, rest, version);
    if (url === undefined) return [];
    return { title, url, version: template.commit.includes('{commit}') ? version : '' };
  });
}

/** Labels of a repository, as OpenTelemetry and Pyroscope name them. */
const repositoryLabels = ['vcs_repository_url_full', 'service_repository'];

/**
 * Returns the link for a repository that labels name. The repository must be at a public site,
 * because anyone who pushes profiles can set labels.
 */
function linkOfLabels(labels: LabelSet, path: string): ModuleLink[] {
  const address = firstLabel(labels, repositoryLabels) ?? '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const kind = url?.protocol === 'https:' ? kindOfHost(url.host) : undefined;
  const parts = url?.pathname.replace(/\.git$/, '').split('/') ?? [];
  if (url === undefined || kind === undefined || parts.length < 3) return [];
  if (!parts.slice(1).every((part) => /^[\w.-]+$/.test(part))) return [];
  const repository = `https://${url.host}${parts.join('/')}`;
  const version = firstLabel(labels, commitLabelsDefault) ?? 'HEAD';
  const name = parts[parts.length - 1];
  const folder = labelValue(labels, 'service_root_path') ?? '';
  if (!/^[\w./-]*$/.test(folder) || folder.split('/').includes('..')) return [];
  const rest = pathInRepository(path, `${url.host}${parts.join('/')}/`, name);
  if (rest === undefined) return [];
  const link = fillTemplate(repositoryTemplate(repository, kind, folder), rest, version);
  return link === undefined ? [] : [{ title: repository.slice(8), url: link, version }];
}

/**
 * Returns the path of a file in its repository. It is the part after the path of the Go module, or
 * after the folder with the name of the repository. A relative path is returned unchanged.
 */
function pathInRepository(path: string, module: string, name: string): string | undefined {
  if (path.startsWith(module)) return path.slice(module.length);
  const folder = path.indexOf(`/${name}/`);
  if (folder >= 0) return path.slice(folder + name.length + 2);
  return /^(\/|[A-Za-z]:)/.test(path) ? undefined : path;
}

function firstLabel(labels: LabelSet, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = labelValue(labels, name);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

function labelValue(labels: LabelSet, name: string): string | undefined {
  return labels.find((label) => label.name === name)?.value;
}
