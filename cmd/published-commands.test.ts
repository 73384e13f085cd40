// Tests that published command lines and config files of Parca and Parca Agent are accepted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAgentConfig } from '../agent/config/agent-config.ts';
import { parseConfig } from '../src/config/load/parse.ts';
import { publishedCommands } from '../test/support/published-commands.ts';
import { parcaAgentFlags } from './parca-agent/flag-rows.ts';
import { configFlagNames, parseFlags as parseAgentFlags } from './parca-agent/flags.ts';
import { parseFlags } from './parca/flags.ts';
import { parcaFlags } from './parca/parca-flags.ts';
import { discoveryKinds } from '../src/discovery/registry.ts';

test('published command lines and their config files are read without a mistake', () => {
  for (const { source, program, args, files = {} } of publishedCommands) {
    if (program === 'parca') {
      const { configPath } = parseFlags(args);
      const content = files[configPath];
      if (content !== undefined) parseConfig(content, configPath, discoveryKinds);
      continue;
    }
    const { configPath } = parseAgentFlags(args, {});
    if (configPath === '') continue;
    const config = parseAgentConfig(files[configPath], configPath, configFlagNames);
    assert.equal(parseAgentFlags(args, {}, config.flags).configPath, configPath, source);
  }
});

test('docs/from-parca.md lists every flag of Parca that has no meaning here', () => {
  const docs = readFileSync(new URL('../docs/from-parca.md', import.meta.url), 'utf8');
  const [, ofServer = '', ofAgent = ''] = docs.split(/^## Flags of .*$/m);
  for (const [text, flags] of [
    [ofServer, parcaFlags],
    [ofAgent, parcaAgentFlags],
  ] as const) {
    for (const { name, kind, initial } of flags) {
      const row =
        kind === 'needless'
          ? new RegExp(`^\\| .*\`--${name}\`.* \\| .+ \\|$`, 'm')
          : new RegExp(`^\\| \`--${name}\` \\| \`--${name}=${initial}\` \\|`, 'm');
      assert.match(text, row, name);
    }
  }
});
