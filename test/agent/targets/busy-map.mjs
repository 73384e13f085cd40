// Burns CPU time in a Node process that writes a perf map: three quarters in hotLoop, the rest in
// warmLoop.
import { compileFunction } from 'node:vm';

let sink = 0;

function hotLoop(rounds) {
  let value = 1.5;
  for (let i = 0; i < rounds; i += 1) value = value * 1.0000001 + 0.5;
  return value;
}

function warmLoop(rounds) {
  let value = 2.5;
  for (let i = 0; i < rounds; i += 1) value = value * 1.0000003 + 0.25;
  return value;
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function work(seconds) {
  while (cpuSeconds() < seconds) sink += hotLoop(300_000) + warmLoop(100_000);
}

/**
 * Makes V8 write the perf map's lines for the functions above: V8 writes its perf map in blocks of
 * 4 KiB.
 */
function fillMap() {
  for (let i = 0; i < 300; i += 1) sink += compileFunction(`return ${i};`)();
}

work(0.3);
fillMap();
work(Number(process.argv[2] ?? 1));
