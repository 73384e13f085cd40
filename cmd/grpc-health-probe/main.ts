// Entry point of the probe. Images contain it as /grpc_health_probe, because manifests for Parca
// run that path.
import { errorMessage } from '../../src/base/errors.ts';
import { readBuildInfo } from '../build-info.ts';
import { exitCodes, probe } from './probe.ts';
import { parseProbeFlags, type ProbeFlags } from './probe-flags.ts';

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Runs the probe with command line arguments; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  let flags: ProbeFlags;
  try {
    flags = parseProbeFlags(args);
  } catch (error) {
    say(`error: ${errorMessage(error)}`);
    return exitCodes.badArguments;
  }
  if (flags.version) {
    process.stdout.write(`${readBuildInfo().version}\n`);
    return exitCodes.healthy;
  }
  try {
    const { code, line } = await probe(flags);
    say(line);
    return code;
  } catch (error) {
    say(`failed to initialize tls credentials. error=${errorMessage(error)}`);
    return exitCodes.badArguments;
  }
}
