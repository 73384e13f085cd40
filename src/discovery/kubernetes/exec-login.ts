// Logins of a kubeconfig that run a program to get a token, such as a cloud's command line tool.
import { dirname, isAbsolute, resolve } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { Expiring, type Renewed } from '../../base/expiring.ts';
import type { DiscoveryContext } from '../interface.ts';
import { loginObjectsMax } from '../../base/limits.ts';
import { parseJsonText } from '../../base/text/json.ts';
import { type Json, listAt, stringsAt, mapAt, stringAt } from '../../base/text/json-values.ts';

/** Lifetime in milliseconds of a token that does not state when it expires. */
const lifeMillisDefault = 300_000;

/**
 * Returns a function that returns the current token. `exec` is part of a user in the kubeconfig at
 * `path`. Source: "client-go credential plugins" of the Kubernetes reference.
 */
export function execLogin(
  exec: Json,
  path: string,
  { clock, environment, runCommand }: DiscoveryContext,
): () => Promise<string> {
  const token = new Expiring<string>(clock);
  const command = stringAt(exec, 'command');
  // A name without a slash is searched for in PATH.
  const program =
    command.includes('/') && !isAbsolute(command) ? resolve(dirname(path), command) : command;
  const more = listAt(exec, 'env').map((one) => [stringAt(one, 'name'), stringAt(one, 'value')]);
  const info = {
    apiVersion: stringAt(exec, 'apiVersion'),
    kind: 'ExecCredential',
    spec: { interactive: false },
  };
  const run = async (): Promise<Renewed<string>> => {
    const printed = await runCommand({
      program,
      programArguments: stringsAt(exec, 'args'),
      environment: {
        ...environment,
        ...Object.fromEntries(more),
        KUBERNETES_EXEC_INFO: JSON.stringify(info),
      },
    });
    const status = mapAt(parse(printed, program), 'status');
    const value = stringAt(status, 'token');
    if (value === '') throw failure(program, 'it prints no token');
    const endMillis = Date.parse(stringAt(status, 'expirationTimestamp'));
    const lifeMillis = endMillis - clock.nowMillis();
    return { value, lifeMillis: Number.isNaN(lifeMillis) ? lifeMillisDefault : lifeMillis };
  };
  return () => token.get(run);
}

function parse(text: string, program: string): Json {
  try {
    return mapAt({ answer: parseJsonText(text, '', loginObjectsMax) }, 'answer');
  } catch {
    // The message does not quote the output, because it may contain a token.
    throw failure(program, 'it does not print JSON');
  }
}

function failure(program: string, why: string): AppError {
  return new AppError('failed-precondition', `cannot log in to Kubernetes by ${program}: ${why}`);
}
