// Client libraries of vendors. Each has its own lock file, and an operator installs it only if a
// bucket needs it.

/** Vendors, named after the folder of their lock file in `sdk/`. */
export type SdkKind = 's3' | 'gcs' | 'azure';

/**
 * Returns the exports of a vendor's package.
 *
 * Errors: AppError 'failed-precondition' if it is not installed.
 */
export type LoadSdk = (kind: SdkKind, packageName: string) => Promise<unknown>;
