// Branded types: a number that is a row of one table does not pass for a row of another.

declare const brand: unique symbol;

/** `T` at run time, a type of its own at compile time. Costs nothing. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
