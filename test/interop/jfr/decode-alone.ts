// Decodes a recording in a separate process, and prints its peak memory in bytes.
import { readFileSync } from 'node:fs';
import { decodeJfr } from '../../../src/formats/jfr/decode.ts';
import { plainCounts } from '../../../src/formats/reading/imported-profile.ts';

const bytes = readFileSync(process.argv[2]);
const { profiles } = decodeJfr(bytes, { timeNanos: 0n, durationNanos: 0n, counts: plainCounts });
const peakBytes = process.resourceUsage().maxRSS * 1_024;
console.log(JSON.stringify({ names: profiles.map(({ name }) => name), peakBytes }));
