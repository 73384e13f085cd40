// Runs for some seconds under Pyroscope's SDK for Node.js, and burns at least half a second of CPU
// time.
//
//     node pyroscope-node.cjs FOLDER_OF_THE_SDK URL SECONDS
'use strict';
const { init, start, stop } = require(process.argv[2]);

init({
  serverAddress: process.argv[3],
  appName: 'node.shop',
  tags: { region: 'eu' },
  flushIntervalMs: 10_000,
  wall: { collectCpuTime: true, samplingDurationMs: 10_000 },
});
start();
const end = Date.now() + Number(process.argv[4]) * 1_000;
let sum = 0;
function burn() {
  for (let i = 0; i < 1e6; i += 1) sum += Math.sqrt(i);
}
function work() {
  burn();
  if (Date.now() < end || process.cpuUsage().user < 500_000) setImmediate(work);
  else void stop();
}
work();
