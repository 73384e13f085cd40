// Burns CPU time: three quarters in the program's own crc32, the rest in JavaScript.
import { crc32 } from 'node:zlib';

const bytes = new Uint8Array(65_536);
let sink = 0;

function hotLoop() {
  for (let i = 0; i < 20; i += 1) sink += crc32(bytes);
}

function warmLoop(rounds) {
  let value = 2.5;
  for (let i = 0; i < rounds; i += 1) value = value * 1.0000003 + 0.25;
  sink += value;
}

const cpuSeconds = () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
const seconds = Number(process.argv[2] ?? 1);
const used = { hot: 0, warm: 0 };
// A built-in function calls the other functions.
const turns = [0];
while (used.hot + used.warm < seconds) {
  turns.forEach(() => {
    const start = cpuSeconds();
    const isHot = used.hot < 3 * used.warm;
    if (isHot) hotLoop();
    else warmLoop(300_000);
    used[isHot ? 'hot' : 'warm'] += cpuSeconds() - start;
  });
}
