// Chooses the way to profile a command.
import { agentRecorder } from './agent-recorder.ts';
import { goTest, node, perf, pySpy, type Recorder } from './recorders.ts';

/** Recorders in the order in which `isFor` is called. */
const recorders: readonly Recorder[] = [goTest, node, pySpy, perf, agentRecorder];

/** Returns the recorder with a name, or for `auto` the default for the command. */
export function chooseRecorder(name: string, args: readonly string[]): Recorder {
  const found = recorders.find((one) => (name === 'auto' ? one.isFor(args) : one.name === name));
  return found ?? perf;
}
