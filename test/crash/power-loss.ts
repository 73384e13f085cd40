// Cuts the power of a real file system while a process writes, many times. Prints counts as JSON.
//
// Use: node test/crash/power-loss.ts <disk kind> <cycles> <first seed>
import { seededRandom, type Random } from '../../src/base/random.ts';
import { Oracle, type KnownProfile } from '../../src/storage/fake/oracle.ts';
import { diskKinds, LoopDisk, type DiskKind } from './loop-disk.ts';
import { noWriterCounts, WriterProcess } from './writer-process.ts';

/** Number of cycles after which the store gets a new disk, so that reads stay fast. */
const cyclesPerDisk = 20;

const [kindName, cyclesText, firstText] = process.argv.slice(2);
const cycles = Number(cyclesText);
const counts = { cycles: 0, ...noWriterCounts() };
const kind = findKind(kindName);

for (let first = 0; first < cycles; first += cyclesPerDisk) {
  const seed = Number(firstText) + first;
  await runDisk(seed, Math.min(cyclesPerDisk, cycles - first)).catch((error: unknown) => {
    const words = [kindName, `${cyclesPerDisk}`, `${seed}`];
    const repeat = words.map((word) => `'${word}'`).join(' ');
    process.stderr.write(`repeat it: node test/crash/power-loss.ts ${repeat}\n`);
    throw error;
  });
}
process.stdout.write(`${JSON.stringify(counts)}\n`);

function findKind(name: string): DiskKind {
  const found = diskKinds.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`there is no disk of kind ${name}`);
  return found;
}

async function runDisk(seed: number, cyclesOfDisk: number): Promise<void> {
  using disk = new LoopDisk(kind);
  const oracle = new Oracle<KnownProfile>(false);
  const random = seededRandom(seed);
  // The last cycle only reads what the previous cycle left.
  for (let cycle = 0; cycle <= cyclesOfDisk; cycle += 1) {
    await runLife(disk, oracle, random, seed + cycle);
    if (cycle < cyclesOfDisk) counts.cycles += 1;
  }
}

async function runLife(
  disk: LoopDisk,
  oracle: Oracle<KnownProfile>,
  random: Random,
  seed: number,
): Promise<void> {
  const writer = new WriterProcess(disk.storagePath, disk.reportPath, seed);
  try {
    await writer.untilRandomMoment(random);
    // A running writer might get a successful fdatasync during the cut.
    await writer.freeze();
    disk.cutPower();
  } finally {
    await writer.kill();
  }
  disk.unmount();
  disk.mount();
  writer.check(oracle, counts);
}
