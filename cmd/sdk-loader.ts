// Loads vendor SDKs. An SDK is installed only if a bucket needs it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AppError } from '../src/base/errors.ts';
import type { Logger } from '../src/base/logger.ts';
import { BackgroundProgram } from '../src/base/node/background-program.ts';
import type { LoadSdk, SdkKind } from '../src/storage/object-store/sdk/sdk.ts';
import { projectFolder } from './build-info.ts';

const installScript = join(projectFolder, 'tools/install-sdk.mjs');

/** Returns a loader that installs missing SDKs if `npm start` or `parca` started this process. */
export function createSdkLoader(logger: Logger): LoadSdk {
  return async (kind, packageName) => {
    const folder = join(projectFolder, 'sdk', kind);
    if (!isInstalled(folder, packageName)) await install(kind, folder, logger);
    return createRequire(join(folder, 'package.json'))(packageName) as unknown;
  };
}

async function install(kind: SdkKind, folder: string, logger: Logger): Promise<void> {
  const fail = (why: string): AppError => {
    const what = `cannot use a bucket of type ${kind.toUpperCase()}: its client`;
    return new AppError('failed-precondition', `${what} ${why}`);
  };
  if (process.env['PARCA_MAY_BUILD'] !== '1') {
    const command = `npm ci --ignore-scripts --omit=dev --prefix ${folder}`;
    throw fail(`is not installed; run: ${command}`);
  }
  logger.info('installs the client of the bucket, once', { type: kind.toUpperCase(), folder });
  const { isDone, output } = await new BackgroundProgram(
    process.execPath,
    [installScript, kind],
    () => undefined,
  ).ended;
  if (!isDone) throw fail(`cannot be installed: ${output.trim()}`);
}

/** Returns true if the package is installed in the version that the lock file requires. */
function isInstalled(folder: string, packageName: string): boolean {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  const found = readPackages(join(folder, 'node_modules/.package-lock.json'));
  const path = `node_modules/${packageName}`;
  return found?.[path]?.version !== undefined && found[path].version === wanted?.[path]?.version;
}

type Packages = Readonly<Record<string, { readonly version?: string } | undefined>>;

function readPackages(path: string): Packages | undefined {
  try {
    const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { readonly packages?: Packages };
    return packages;
  } catch {
    return undefined;
  }
}
