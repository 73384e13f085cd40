// The schema of one entry of `relabel_configs`.
import { createRelabeling, relabelActions, relabelDefaults } from '../model/relabel.ts';
import { relabelMistake } from '../model/relabel.ts';
import type { RelabelAction, RelabelRule } from '../model/relabel.ts';
import { integer, invalid, list, nonEmptyText, optional, record, refine } from './read.ts';
import { refuse, text } from './read.ts';
import type { Reader } from './read.ts';

/** Actions may be written in any case, as in Prometheus. */
const action: Reader<RelabelAction> = refine(text, (given, place) => {
  const known = relabelActions.find((it) => it === given.toLowerCase());
  return known ?? refuse(place, `one of ${relabelActions.join(', ')}`);
});

/** An expression that compiles; createRelabeling says why when it does not. */
const regex: Reader<string> = refine(text, (given) => {
  createRelabeling([{ ...relabelDefaults, regex: given }], () => new Uint8Array(16));
  return given;
});

/** `relabel_configs[]`. */
export const relabelRule: Reader<RelabelRule> = refine(
  record({
    action: optional(action, relabelDefaults.action),
    source_labels: optional(list(nonEmptyText), relabelDefaults.sourceLabels),
    separator: optional(text, relabelDefaults.separator),
    regex: optional(regex, relabelDefaults.regex),
    modulus: optional(integer(1, Number.MAX_SAFE_INTEGER), Number(relabelDefaults.modulus)),
    target_label: optional(text, relabelDefaults.targetLabel),
    replacement: optional(text, relabelDefaults.replacement),
  }),
  (given, place) => {
    const rule: RelabelRule = {
      action: given.action,
      sourceLabels: given.source_labels,
      separator: given.separator,
      regex: given.regex,
      modulus: BigInt(given.modulus),
      targetLabel: given.target_label,
      replacement: given.replacement,
    };
    const mistake = relabelMistake(rule);
    if (mistake === undefined) return rule;
    place.report(mistake);
    return invalid;
  },
);
