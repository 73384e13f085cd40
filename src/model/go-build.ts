// Facts that Go writes into a program about its own build.

/** Build information of a program; "" = unknown. */
export interface GoBuild {
  /** Version of Go, such as "go1.22.3". */
  readonly goVersion: string;
  /** Path of the main module. */
  readonly module: string;
  /** Version of the main module, such as "v1.2.3"; "" for "(devel)". */
  readonly version: string;
  /** Commit of the repository. */
  readonly revision: string;
  /** True if files of the repository were changed after that commit. */
  readonly isModified: boolean;
}
