// `npm run release`: builds all artefacts, the bills of materials, the notes and the checksums.
//
// Usage: node tools/release/main.ts OUTPUT SYMBOLIZER ADDON NFPM, as in tools/release.mjs.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { failSetup, root, say } from '../setup.mjs';
import { writeTarball } from './archive.ts';
import { makeChart } from './chart.ts';
import { openRelease, platformName, products, type Release, server } from './context.ts';
import type { DebianPackage } from './debian.ts';
import { makeImage } from './image.ts';
import { releaseNotes } from './notes.ts';
import { makeNpmPackage } from './npm-package.ts';
import { makePackages } from './os-packages.ts';
import { makeTree } from './program-tree.ts';
import { writeSbom } from './sbom.ts';

const [output, symbolizer, addon, nfpm] = process.argv.slice(2);

try {
  const work = join(root, '.cache/release/work');
  await makeRelease(openRelease(output, work, { symbolizer, addon, nfpm }));
} catch (error) {
  failSetup(error);
}

async function makeRelease(release: Release): Promise<void> {
  rmSync(release.output, { recursive: true, force: true });
  for (const folder of [release.output, release.work]) mkdirSync(folder, { recursive: true });
  // The notes come first, because it takes no time to find that they are missing.
  const notes = releaseNotes(release.version);
  say('the package of npm');
  makeNpmPackage(release);
  for (const product of products) {
    let debian: readonly DebianPackage[] = [];
    for (const architecture of product.architectures) {
      const tree = makeTree(release, product, architecture);
      const name = basename(tree);
      say(`${name}: archive, packages and image`);
      await writeTarball(join(release.output, `${name}.tar.gz`), release.work, name, release.epoch);
      makePackages(release, product, architecture, tree);
      debian = [...debian, ...(await makeImage(release, product, architecture, tree))];
    }
    const first = platformName(release, product, product.architectures[0]);
    writeSbom(release, product, join(release.work, first), debian);
  }
  say('the chart of Helm');
  await makeChart(release);
  writeFileSync(join(release.output, 'RELEASE_NOTES.md'), notes);
  writeSums(release.output);
  rmSync(release.work, { recursive: true });
  for (const name of readdirSync(release.output).sort()) {
    const { size } = statSync(join(release.output, name));
    process.stdout.write(`${(size / 1e6).toFixed(1).padStart(8)} MB  ${name}\n`);
  }
  say(`the release ${release.version} of ${server.name} is in ${release.output}`);
}

/** Writes SHA256SUMS, in the form of `sha256sum`. */
function writeSums(folder: string): void {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(folder, name)));
      return `${hash.digest('hex')}  ${name}\n`;
    });
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}
