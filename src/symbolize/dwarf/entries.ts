// Reads entries of .debug_info: their abbreviations, and the values of attributes by form.
import { dwarfAbbreviationsMax, elfTextBytesMax } from '../limits.ts';
import { Cursor } from './cursor.ts';

/** Numbers of the tags that are read. */
export const tags = { inlined: 0x1d, subprogram: 0x2e } as const;

/** Numbers of the attributes that are read. */
export const attributes = {
  name: 0x03,
  lineProgram: 0x10,
  lowPc: 0x11,
  highPc: 0x12,
  folder: 0x1b,
  origin: 0x31,
  declaredLine: 0x3b,
  specification: 0x47,
  ranges: 0x55,
  callColumn: 0x57,
  callFile: 0x58,
  callLine: 0x59,
  linkageName: 0x6e,
  stringOffsetsBase: 0x72,
  addressBase: 0x73,
  rangesBase: 0x74,
  splitName: 0x76,
  oldLinkageName: 0x2007,
  oldSplitName: 0x2130,
  oldSplitId: 0x2131,
  oldRangesBase: 0x2132,
  oldAddressBase: 0x2133,
} as const;

/** Sections of a file. Missing sections are empty. */
export interface Sections {
  readonly isLittleEndian: boolean;
  readonly info: Uint8Array;
  readonly abbreviations: Uint8Array;
  readonly line: Uint8Array;
  readonly strings: Uint8Array;
  readonly lineStrings: Uint8Array;
  readonly stringOffsets: Uint8Array;
  readonly addresses: Uint8Array;
  readonly ranges: Uint8Array;
  readonly rangeLists: Uint8Array;
  /** Ranges of each unit: .debug_aranges. */
  readonly unitRanges: Uint8Array;
  /** Strings of the file with which this file shares DWARF; undefined if that file is missing. */
  readonly alternateStrings?: Uint8Array;
}

/** Offset that is added to the offsets of entries in the file with which this file shares DWARF. */
export const alternateStart = 2 ** 50;

/** Properties of a unit that are needed to read values. */
export interface Format {
  readonly sections: Sections;
  readonly version: number;
  readonly is64: boolean;
  readonly addressSize: number;
  /** Offset of the unit, to which references are relative. */
  readonly offset: number;
  /** Offsets of the unit's parts of tables. */
  stringOffsetsBase: number;
  addressBase: number;
  rangesBase: number;
}

/** The layout of an entry. */
export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly names: readonly number[];
  readonly forms: readonly number[];
  /** Values of attributes that are the same for all entries. */
  readonly constants: readonly number[];
  /** Size of all attributes in bytes; -1 if it differs from entry to entry. */
  readonly fixedSize: number;
}

const implicitConstant = 0x21;
const indirect = 0x16;

/** Reads the abbreviations at an offset, by code. Errors: RangeError. */
export function readAbbreviations(format: Format, offset: number): Map<number, Abbreviation> {
  const { sections } = format;
  const cursor = new Cursor(sections.abbreviations, sections.isLittleEndian, offset);
  const found = new Map<number, Abbreviation>();
  for (let code = cursor.uleb(); code !== 0; code = cursor.uleb()) {
    if (found.size >= dwarfAbbreviationsMax) throw new RangeError('it has too many abbreviations');
    const tag = cursor.uleb();
    const hasChildren = cursor.u8() !== 0;
    const names: number[] = [];
    const forms: number[] = [];
    const constants: number[] = [];
    let fixedSize = 0;
    for (;;) {
      const [name, form] = [cursor.uleb(), cursor.uleb()];
      const constant = form === implicitConstant ? cursor.sleb() : 0;
      if (name === 0 && form === 0) break;
      names.push(name);
      forms.push(form);
      constants.push(constant);
      const size = formSize(form, format);
      fixedSize = fixedSize === -1 || size === -1 ? -1 : fixedSize + size;
    }
    if (!found.has(code)) found.set(code, { tag, hasChildren, names, forms, constants, fixedSize });
  }
  return found;
}

/** Sizes of the forms with a fixed size, by the number of the form. */
const sizes: ReadonlyMap<number, number> = new Map([
  // Forms of data, flags, references within the unit, and signatures.
  ...([
    [0x0b, 1],
    [0x05, 2],
    [0x06, 4],
    [0x07, 8],
    [0x1e, 16],
    [0x0c, 1],
    [0x19, 0],
  ] as const),
  ...([
    [0x11, 1],
    [0x12, 2],
    [0x13, 4],
    [0x14, 8],
    [0x20, 8],
    [implicitConstant, 0],
  ] as const),
  // Forms of indexes of strings and addresses, and of references to a supplementary file.
  ...([
    [0x25, 1],
    [0x26, 2],
    [0x27, 3],
    [0x28, 4],
    [0x29, 1],
    [0x2a, 2],
  ] as const),
  ...([
    [0x2b, 3],
    [0x2c, 4],
    [0x1c, 4],
    [0x24, 8],
  ] as const),
]);
/** Forms that are an offset into a section: strings, lists, or a supplementary file. */
const offsetForms: ReadonlySet<number> = new Set([0x0e, 0x17, 0x1d, 0x1f, 0x1f20, 0x1f21]);
/** Forms of unsigned LEB128 numbers: data, references, indexes. */
const ulebForms: ReadonlySet<number> = new Set([
  0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23, 0x1f01, 0x1f02,
]);
const [addressForm, anyReference, signedData, textForm] = [0x01, 0x10, 0x0d, 0x08];

/** Returns the size of a value; -1 if it varies. */
function formSize(form: number, { is64, addressSize, version }: Format): number {
  const size = sizes.get(form);
  if (size !== undefined) return size;
  if (offsetForms.has(form)) return is64 ? 8 : 4;
  if (form === addressForm) return addressSize;
  if (form === anyReference) return version < 3 ? addressSize : is64 ? 8 : 4;
  return -1;
}

/** Skips a value. */
export function skipValue(cursor: Cursor, form: number, format: Format): void {
  const size = formSize(form, format);
  if (size !== -1) cursor.skip(size);
  else if (ulebForms.has(form) || form === signedData) cursor.uleb();
  else if (form === textForm) cursor.skipText();
  else if (form === indirect) skipValue(cursor, directForm(cursor), format);
  // These forms are blocks, which begin with their length.
  else if (form === 0x09 || form === 0x18) cursor.skip(cursor.uleb());
  else if (form === 0x0a) cursor.skip(cursor.u8());
  else if (form === 0x03) cursor.skip(cursor.u16());
  else if (form === 0x04) cursor.skip(cursor.u32());
  else throw new RangeError(`form ${form} is unknown`);
}

/** Skips all values of an entry. */
export function skipEntry(
  cursor: Cursor,
  { forms, fixedSize }: Abbreviation,
  format: Format,
): void {
  if (fixedSize !== -1) {
    cursor.skip(fixedSize);
    return;
  }
  for (let i = 0; i < forms.length; i += 1) skipValue(cursor, forms[i], format);
}

/**
 * Reads a value as a number. Indexes are replaced by the addresses or offsets of ranges to which
 * they refer. References become offsets in .debug_info. Returns undefined for other values.
 */
export function readNumber(
  cursor: Cursor,
  form: number,
  constant: number,
  format: Format,
): number | undefined {
  if (form === implicitConstant) return constant;
  if (form === indirect) return readNumber(cursor, directForm(cursor), 0, format);
  if (form === addressForm) return cursor.address(format.addressSize);
  if (form === signedData) return cursor.sleb();
  if (form === 0x19) return 1;
  // These forms are indexes of addresses.
  if (form === 0x1b || form === 0x1f01) return addressAt(cursor.uleb(), format);
  if (form >= 0x29 && form <= 0x2c) return addressAt(cursor.number(form - 0x28), format);
  if (form === 0x23) return rangeListAt(cursor.uleb(), format);
  if (form === 0x15) return format.offset + cursor.uleb();
  const size = formSize(form, format);
  const isReference = form >= 0x11 && form <= 0x14;
  if (isReference) return format.offset + cursor.number(size);
  const isData = (form >= 0x05 && form <= 0x07) || form === 0x0b || form === 0x0c;
  if (isData || form === anyReference || form === 0x17) return cursor.number(size);
  if (form === 0x0f) return cursor.uleb();
  // These forms refer to the file with which this file shares DWARF.
  if (form === 0x1c || form === 0x24 || form === 0x1f20) {
    return alternateStart + cursor.number(size);
  }
  skipValue(cursor, form, format);
  return undefined;
}

/** Returns true for the forms of an address. If DW_AT_high_pc has another form, it is a size. */
export function isAddressForm(form: number): boolean {
  return form === addressForm || form === 0x1b || form === 0x1f01 || (form >= 0x29 && form <= 0x2c);
}

/** Reads a string; undefined for a string in a missing file, and for other values. */
export function readString(cursor: Cursor, form: number, format: Format): string | undefined {
  const { sections, is64 } = format;
  if (form === textForm) return cursor.text(elfTextBytesMax);
  if (form === indirect) return readString(cursor, directForm(cursor), format);
  if (form === 0x0e) return stringAt(sections.strings, cursor.offset(is64), format);
  if (form === 0x1f) return stringAt(sections.lineStrings, cursor.offset(is64), format);
  if ((form === 0x1d || form === 0x1f21) && sections.alternateStrings !== undefined) {
    return stringAt(sections.alternateStrings, cursor.offset(is64), format);
  }
  if (form === 0x1a || form === 0x1f02) return indexedString(cursor.uleb(), format);
  if (form >= 0x25 && form <= 0x28) return indexedString(cursor.number(form - 0x24), format);
  skipValue(cursor, form, format);
  return undefined;
}

/** Reads the form that is stored before a value (DW_FORM_indirect). */
function directForm(cursor: Cursor): number {
  const form = cursor.uleb();
  if (form === indirect || form === implicitConstant) throw new RangeError('a form is indirect');
  return form;
}

function stringAt(strings: Uint8Array, offset: number, { sections }: Format): string {
  return new Cursor(strings, sections.isLittleEndian, offset).text(elfTextBytesMax);
}

function indexedString(index: number, format: Format): string {
  const { sections, is64, stringOffsetsBase } = format;
  const at = stringOffsetsBase + index * (is64 ? 8 : 4);
  const offset = new Cursor(sections.stringOffsets, sections.isLittleEndian, at).offset(is64);
  return stringAt(sections.strings, offset, format);
}

/** Returns an address by its index. */
export function addressAt(index: number, format: Format): number {
  const { sections, addressSize, addressBase } = format;
  const at = addressBase + index * addressSize;
  return new Cursor(sections.addresses, sections.isLittleEndian, at).address(addressSize);
}

/** Returns the offset of a list of ranges by its index. */
function rangeListAt(index: number, format: Format): number {
  const { sections, is64, rangesBase } = format;
  const at = rangesBase + index * (is64 ? 8 : 4);
  return rangesBase + new Cursor(sections.rangeLists, sections.isLittleEndian, at).offset(is64);
}
