// The schema of `source_links`: addresses at which the page links to a line of source.
import {
  commitLabelsDefault,
  repositoryKinds,
  repositoryTemplate,
  readTemplate,
  type SourceLinkRule,
} from '../source-links.ts';
import {
  type Field,
  invalid,
  labelName,
  labelNameMistake,
  list,
  nonEmptyText,
  optional,
  type Reader,
  readMap,
  readWord,
  record,
  refine,
  text,
} from './read.ts';

const noLabels: ReadonlyMap<string, string> = new Map();

const sourceLink: Reader<SourceLinkRule> = refine(
  record(
    {
      title: optional(nonEmptyText, undefined),
      prefix: optional(text, ''),
      labels: optional(readMap(text, labelNameMistake), noLabels),
      template: optional(refine(nonEmptyText, readTemplate), undefined),
      repository: optional(nonEmptyText, undefined),
      kind: optional(readWord(repositoryKinds), undefined),
      folder: optional(text, ''),
      commit_labels: optional(list(labelName), commitLabelsDefault),
      commit: optional(nonEmptyText, ''),
    },
    [],
    (_given, place) => {
      const isTemplate = place.find('template') !== undefined;
      if (isTemplate === (place.find('repository') !== undefined)) {
        place.report('expected either template or repository');
      }
      for (const key of isTemplate ? ['kind', 'folder'] : []) {
        place.find(key)?.report(`only a repository has a ${key}`);
      }
    },
  ),
  ({ title, template, repository, kind, folder, commit_labels, ...rest }) => {
    const { prefix, labels, commit } = rest;
    const filled =
      repository === undefined ? template : repositoryTemplate(repository, kind, folder);
    if (filled === undefined) return invalid;
    const { protocol, host } = new URL(filled.commit);
    return {
      title: title ?? (protocol.startsWith('vscode') ? 'VS Code' : host),
      prefix,
      labels,
      template: filled,
      commitLabels: commit_labels,
      commit,
    };
  },
);

/** Schema of `source_links`. */
export const sourceLinks: Field<readonly SourceLinkRule[]> = optional(list(sourceLink), []);
