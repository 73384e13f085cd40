// Makes small ELF files with split DWARF, and with DWARF that they share with another file.
import { PackageMaker } from '../../../agent/debuginfo/make-package.ts';
import { makeElf, makeNote, type SectionToBe } from '../../../src/symbolize/testing/make-elf.ts';

/** Start address of the function in these files; the function has 0x100 bytes. */
export const splitAddress = 0x1000;
/** Build id of the file whose DWARF other files share. */
export const sharedBuildId = '5a'.repeat(20);
const id = 0x1234_5678_9abc_def0n;

function u32(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}

function u64(value: bigint): number[] {
  return [...u32(Number(value & 0xffff_ffffn)), ...u32(Number(value >> 32n))];
}

function text(value: string): number[] {
  return [...new TextEncoder().encode(value), 0];
}

/** Makes a DWARF 4 unit with these entries. */
function unit(entries: readonly number[]): Uint8Array {
  const body = [4, 0, ...u32(0), 8, ...entries];
  return Uint8Array.from([...u32(body.length), ...body]);
}

function debug(name: string, content: Uint8Array): SectionToBe {
  return { name, type: 1, content };
}

const range = [...u64(BigInt(splitAddress)), ...u64(0x100n)];

/** Makes a program whose only function is in the package that comes with it. */
export function splitFile(): Uint8Array {
  // DW_AT_low_pc, high_pc, GNU_dwo_id, GNU_dwo_name, GNU_addr_base.
  const left = [
    1, 0x11, 0, 0x11, 1, 0x12, 7, 0xb1, 0x42, 7, 0xb0, 0x42, 8, 0xb3, 0x42, 0x17, 0, 0, 0,
  ];
  const maker = new PackageMaker(true);
  maker.add({
    id,
    version: 4,
    is64: false,
    isLittleEndian: true,
    // A unit with GNU_dwo_id, and a function whose address and name are given by index.
    info: unit([1, ...u64(id), 2, 0, ...u64(0x100n), 0, 0]),
    abbreviations: Uint8Array.from([
      1, 0x11, 1, 0xb1, 0x42, 7, 0, 0, 2, 0x2e, 0, 0x11, 0x81, 0x3e, 0x12, 7, 0x03, 0x82, 0x3e, 0,
      0, 0,
    ]),
    strings: Uint8Array.from(text('work')),
    stringOffsets: Uint8Array.from(u32(0)),
    rangeLists: new Uint8Array(0),
  });
  const added = maker.finish().map(({ name, pieces }) => {
    return debug(name, new Uint8Array(Buffer.concat([...(pieces() as Iterable<Uint8Array>)])));
  });
  return makeElf([
    debug('.debug_info', unit([1, ...range, ...u64(id), ...text('a.dwo'), ...u32(0)])),
    debug('.debug_abbrev', Uint8Array.from(left)),
    debug('.debug_addr', Uint8Array.from(u64(BigInt(splitAddress)))),
    ...added,
  ]);
}

/** Makes a program whose function has its name in another file. */
export function sharingFile(): Uint8Array {
  const link = [...text('common.debug'), ...Buffer.from(sharedBuildId, 'hex')];
  const entries = [1, ...range, 2, ...range, ...u32(12), 0];
  return makeElf([
    debug('.debug_info', unit(entries)),
    debug(
      '.debug_abbrev',
      // A unit with DW_AT_low_pc and high_pc, and a function that also has DW_AT_abstract_origin as
      // GNU_ref_alt.
      Uint8Array.from([
        1, 0x11, 1, 0x11, 1, 0x12, 7, 0, 0, 2, 0x2e, 0, 0x11, 1, 0x12, 7, 0x31, 0xa0, 0x3e, 0, 0, 0,
      ]),
    ),
    debug('.gnu_debugaltlink', Uint8Array.from(link)),
  ]);
}

/** Makes the file that contains the name. */
export function sharedFile(): Uint8Array {
  return makeElf([
    {
      name: '.note.gnu.build-id',
      type: 7,
      content: makeNote('GNU', 3, Uint8Array.from(Buffer.from(sharedBuildId, 'hex'))),
    },
    // A partial unit with a function.
    debug('.debug_info', unit([1, 2, ...text('work'), 0])),
    debug('.debug_abbrev', Uint8Array.from([1, 0x3c, 1, 0, 0, 2, 0x2e, 0, 0x03, 8, 0, 0, 0])),
  ]);
}
