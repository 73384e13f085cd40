// The row indices of the dictionary's tables. Row 0 of every table means "none".

declare const brand: unique symbol;

/** A type that is `T` at run time, and a distinct type at compile time. */
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Row of the StringTable; 0 is "". */
export type StringIndex = Brand<number, 'StringIndex'>;
/** Row of the FunctionTable. */
export type FunctionIndex = Brand<number, 'FunctionIndex'>;
/** Row of the MappingTable. */
export type MappingIndex = Brand<number, 'MappingIndex'>;
/** Row of the LocationTable. */
export type LocationIndex = Brand<number, 'LocationIndex'>;
/** Row of the NodeTable, the trie of locations, root first. */
export type NodeIndex = Brand<number, 'NodeIndex'>;
/** Row of `Dictionary.callNodes`, the trie of function names with inlined calls expanded. */
export type CallNodeIndex = Brand<number, 'CallNodeIndex'>;
/** Row of the StackTable: one complete stack. */
export type StackIndex = Brand<number, 'StackIndex'>;
/** Row of the SampleLabelsTable: the labels of one sample. */
export type SampleLabelsIndex = Brand<number, 'SampleLabelsIndex'>;
