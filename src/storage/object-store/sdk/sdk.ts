// Client libraries of vendors. Each has its own lock file, and an operator installs it only if a
// bucket needs it.

/** Vendors. Each name is that of the folder in `sdk/` that has the vendor's lock file. */
export type SdkKind = 's3' | 'gcs' | 'azure';

/**
 * Returns the exports of a vendor's package.
 *
 * Errors: AppError 'failed-precondition' if the package is not installed.
 */
export type LoadSdk = (kind: SdkKind, packageName: string) => Promise<unknown>;
