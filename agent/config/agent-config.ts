// The agent's YAML file: flag values by flag name, and relabel_configs.
import { ConfigError, openSource } from '../../src/config/schema/document.ts';
import {
  type Field,
  type Reader,
  record,
  invalid,
  list,
  optional,
  refine,
  text,
} from '../../src/config/schema/read.ts';
import { relabelRule } from '../../src/config/schema/relabel-schema.ts';
import type { RelabelRule } from '../../src/model/relabel.ts';

/** Content of the config file. */
export interface AgentConfig {
  /** Undefined if the file has no rules, in which case the default rules apply. */
  readonly relabelRules: readonly RelabelRule[] | undefined;
  /** Values of flags, by name. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

/** Reads one value, or a list of values if the flag can be repeated. */
const flagValues: Reader<readonly string[]> = (place) => {
  if (place.items() !== undefined) return list(text)(place);
  const value = text(place);
  return value === invalid ? invalid : [value];
};

/**
 * Parses the config file. `flagNames` lists the flags that the file may set; `file` is the file's
 * name in error messages.
 *
 * Errors: ConfigError with a line for each mistake.
 */
export function parseAgentConfig(
  content: string,
  file: string,
  flagNames: readonly string[],
): AgentConfig {
  const place = openSource(content, file);
  const { source } = place;
  for (const { message, pos } of source.document.errors) place.report(message, pos[0]);
  if (source.problems.length > 0) throw new ConfigError(source.problems);
  if (place.isEmpty()) return { relabelRules: undefined, flags: new Map() };
  const flags = new Map<string, readonly string[]>();
  const flagFields = flagNames.map((name) => [
    name,
    optional(
      refine(flagValues, (values) => {
        flags.set(name, values);
        return values;
      }),
      undefined,
    ),
  ]);
  const fields: Record<string, Field<readonly string[] | undefined>> = Object.fromEntries(
    flagFields,
  );
  const rules = { relabel_configs: optional(list(relabelRule), undefined) };
  const read = record({ ...fields, ...rules })(place);
  if (read === invalid || source.problems.length > 0) throw new ConfigError(source.problems);
  return { relabelRules: read.relabel_configs, flags };
}
