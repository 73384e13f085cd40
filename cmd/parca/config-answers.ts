// API responses that come from the current config and from uploaded programs.
import type { Config } from '../../src/config/config.ts';
import type { Flags } from './flags.ts';
import type { Symbols } from './open-symbols.ts';

/** Returns the services that give these responses. Without a config, there are no source links. */
export function configAnswers(
  flags: Flags,
  { assembly, debuginfo }: Symbols,
  inForce: () => Config | undefined,
) {
  return {
    assembly,
    goBuild: (buildId: string) => debuginfo.findGoBuild(buildId),
    sourceLinks: () => inForce()?.sourceLinks ?? [],
    settings: () => ({ flags: flags.shown, config: inForce()?.shown ?? [] }),
  };
}
