// Profiles a command with our own agent. The agent runs as long as the command, and samples only
// the command and the processes that it starts.
import { basename, join } from 'node:path';
import { plainRecorder, type Recorder, type RecordingPlan } from './recorders.ts';

/**
 * Environment variable of the command. Its child processes inherit the variable, and the agent
 * samples only processes that have it.
 */
const variable = 'PARCATOOL_RECORDING';
const configFile = 'agent.yaml';

/** Returns an id that is unique, because the folders of recordings have unique names. */
function idOf({ folder }: RecordingPlan): string {
  return basename(folder);
}

export const agentRecorder: Recorder = {
  ...plainRecorder,
  name: 'agent',
  program: 'parca-agent',
  advice: 'install it (docs/install.md)',
  needsRoot: true,
  isFor: () => false,
  scripts: (plan) =>
    new Map([
      [
        configFile,
        `relabel_configs:
  - source_labels: [__meta_env_var_${variable}]
    regex: ${JSON.stringify(idOf(plan))}
    action: keep
`,
      ],
    ]),
  wrap: (args, plan) => ({ args, variables: { [variable]: idOf(plan) } }),
  companion: ({ folder, frequencyHz }) => ({
    args: [
      'parca-agent',
      `--local-store-directory=${join(folder, 'agent')}`,
      `--config-path=${join(folder, configFile)}`,
      `--include-env-var=${variable}`,
      `--profiling-cpu-sampling-frequency=${frequencyHz}`,
      '--profiling-duration=1s',
      '--http-address=127.0.0.1:0',
    ],
    variables: {},
    isReady: (log) => log.includes('msg=ready '),
  }),
};
