// Chooses the way to profile a command.
import { agentRecorder } from './agent-recorder.ts';
import { goTest, node, perf, pySpy, type Recorder } from './recorders.ts';

/** All recorders. `isFor` is called in this order. */
const recorders: readonly Recorder[] = [goTest, node, pySpy, perf, agentRecorder];

/** Returns the recorder with the given name. `auto` means the default recorder for the command. */
export function chooseRecorder(name: string, args: readonly string[]): Recorder {
  const found = recorders.find((one) => (name === 'auto' ? one.isFor(args) : one.name === name));
  return found ?? perf;
}
