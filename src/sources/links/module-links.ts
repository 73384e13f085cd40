// Makes links for files whose names contain their module and release.
import { kindOfHost, repositoryTemplate, readTemplate } from '../../config/source-links.ts';
import { fillTemplate } from './fill-template.ts';

/** A link to a file of a known release. */
export interface ModuleLink {
  readonly title: string;
  /** The address; {line} stands for the number of the line. */
  readonly url: string;
  /** Release or commit. */
  readonly version: string;
}

/** Returns the link of a file; undefined if its name has no known form. */
export function moduleLink(file: string): ModuleLink | undefined {
  return rustLibrary(file) ?? crate(file) ?? goToolchain(file) ?? goModule(file);
}

const rust = repositoryTemplate('https://github.com/rust-lang/rust', undefined);
const go = repositoryTemplate('https://github.com/golang/go', undefined);
const crates = readTemplate('https://docs.rs/crate/{commit}/source/{path}#{line}');

/** Matches files of Rust's own library: `/rustc/<commit>/library/core/src/ops/function.rs`. */
function rustLibrary(file: string): ModuleLink | undefined {
  const [, commit, path] = /^\/?rustc\/([\da-f]{40})\/(.+)$/.exec(file) ?? [];
  return commit === undefined ? undefined : named('rust-lang/rust', rust, path, commit);
}

/** Matches files of cargo's registry: `.../registry/src/<index>/serde-1.0.200/src/lib.rs`. */
function crate(file: string): ModuleLink | undefined {
  const found =
    /(?:^|\/)registry\/src\/[^/]+\/([A-Za-z][\w-]*)-(\d+\.\d+\.\d+[\w.+-]*)\/(.+)$/.exec(file);
  if (found === null) return undefined;
  const [, name, version, path] = found;
  const link = named('docs.rs', crates, path, `${name}/${version}`);
  return link && { ...link, version };
}

/** Matches Go's own library in a toolchain whose folder name contains the release. */
function goToolchain(file: string): ModuleLink | undefined {
  const found =
    /(?:^|\/)(?:toolchain@v[\d.]+-go(\d+\.\d+(?:\.\d+)?)\.[^/]+|(?:go|go-)(\d+\.\d+\.\d+))\/src\/(.+)$/.exec(
      file,
    );
  if (found === null) return undefined;
  const [, ofToolchain, ofFolder, path] = found;
  return goLink(path, `go${ofToolchain ?? ofFolder}`);
}

/** Returns the link of a file of Go's own library by its path in `src`, for a release. */
export function goLink(path: string, release: string): ModuleLink | undefined {
  return named('golang/go', go, `src/${path}`, release);
}

/**
 * Matches files of modules. Paths in Go's cache have the form
 * `.../pkg/mod/github.com/a/b@v1.2.3/c.go`, and `-trimpath` leaves `github.com/a/b@v1.2.3/c.go`.
 */
function goModule(file: string): ModuleLink | undefined {
  const [, before, version, path] = /^(.*?)@(v\d[^/@]*)\/(.+\.\w+)$/.exec(file) ?? [];
  if (before === undefined) return undefined;
  const [, inCache] = /(?:^|\/)pkg\/mod\/(.+)$/.exec(before) ?? [];
  const module = readEscapes(inCache ?? before);
  if (!modulePath.test(module)) return undefined;
  const place = repositoryOf(module);
  if (place === undefined) {
    // The documentation of a module leads to its repository.
    const docs = `https://pkg.go.dev/${module}@${encodeURIComponent(version)}`;
    return { title: 'pkg.go.dev', url: docs, version };
  }
  const { repository, folder } = place;
  const [, host] = /^https:\/\/([^/]+)/.exec(repository) ?? [];
  const template = repositoryTemplate(repository, kindOfHost(host), folder);
  return named(repository.replace('https://', ''), template, path, tagOf(version, folder));
}

function named(
  title: string,
  template: Parameters<typeof fillTemplate>[0],
  path: string,
  version: string,
): ModuleLink | undefined {
  const url = fillTemplate(template, path, version);
  return url === undefined ? undefined : { title, url, version };
}

/**
 * Replaces `!a` with `A`. Go's cache escapes capital letters in this way, because some file systems
 * ignore case.
 */
function readEscapes(path: string): string {
  return path.replaceAll(/!([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Forms of import paths, and the repositories that they belong to. */
const vanity: readonly (readonly [form: RegExp, repository: string])[] = [
  [/^golang\.org\/x\/([\w-]+)/, 'https://github.com/golang/$1'],
  [/^google\.golang\.org\/grpc/, 'https://github.com/grpc/grpc-go'],
  [/^google\.golang\.org\/protobuf/, 'https://github.com/protocolbuffers/protobuf-go'],
  [/^go\.uber\.org\/([\w-]+)/, 'https://github.com/uber-go/$1'],
  [/^k8s\.io\/([\w-]+)/, 'https://github.com/kubernetes/$1'],
  [/^sigs\.k8s\.io\/([\w-]+)/, 'https://github.com/kubernetes-sigs/$1'],
  [/^gopkg\.in\/([\w-]+)\/([\w-]+)\.v\d+/, 'https://github.com/$1/$2'],
  [/^gopkg\.in\/([\w-]+)\.v\d+/, 'https://github.com/go-$1/$1'],
  [/^((?:github|gitlab)\.com|codeberg\.org|gitea\.com)\/([\w.-]+)\/([\w.-]+)/, 'https://$1/$2/$3'],
];

/**
 * Matches import paths of modules. Segments such as ".." do not match, because they would lead to
 * other repositories.
 */
const modulePath = /^[a-z\d-]+(\.[a-z\d-]+)+(\/(?!\.{0,2}(\/|$))[\w.~-]+)+$/;

/** Returns the known repository of a module, and the folder of the module in it. */
export function repositoryOf(
  module: string,
): { readonly repository: string; readonly folder: string } | undefined {
  if (!modulePath.test(module)) return undefined;
  for (const [form, address] of vanity) {
    const found = form.exec(module);
    if (found === null) continue;
    const rest = module.slice(found[0].length);
    if (rest !== '' && !rest.startsWith('/')) continue;
    // The major version is part of the import path, but rarely a folder in the repository.
    const folder = rest.slice(1).replace(/(^|\/)v\d+$/, '');
    return { repository: found[0].replace(form, address), folder };
  }
  return undefined;
}

/**
 * Returns the tag or the commit of a version. The tag of a module in a folder begins with the
 * folder.
 */
export function tagOf(version: string, folder: string): string {
  const [, commit] = /^v[\d.]+-(?:[\w.]*\.)?\d{14}-([\da-f]{12})(?:\+\w+)?$/.exec(version) ?? [];
  if (commit !== undefined) return commit;
  const tag = version.replace(/\+incompatible$/, '');
  return folder === '' ? tag : `${folder}/${tag}`;
}
