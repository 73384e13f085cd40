// Types of an attack: what it does to a server, and which settings the server needs for it.

/** A server as its attackers see it. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Folder of the files that the server reads, such as lists of targets. */
  readonly folder: string;
}

/** Attacks until the signal is aborted, or until the attack is over. */
export type Act = (signal: AbortSignal) => Promise<void>;

/** API that is attacked: the port of any server, Parca's API, our own, or another server's. */
export type Door = 'port' | 'parca' | 'own' | 'prometheus' | 'pyroscope';

export interface Attack {
  readonly name: string;
  readonly door: Door;
  /** Additional settings of the server. */
  readonly server?: ServerNeeds;
  /** Makes request bodies and pushes the data that the attack needs; this time is not measured. */
  prepare(target: Target): Promise<Act>;
}

/** Settings of a server that one attack needs. */
export interface ServerNeeds {
  readonly flags?: readonly string[];
  /** Returns the server's config file; `folder` is the `folder` of the target. */
  readonly config?: (folder: string) => string;
  /** True if the server requires the password of `user`. */
  readonly hasPasswords?: boolean;
}

/** Credentials of the only user on servers with passwords. */
export const user = 'alice';
export const password = 'a long password that others lack';
