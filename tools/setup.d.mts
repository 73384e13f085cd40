// The types of setup.mjs for TypeScript, as far as tests use it.
export const root: string;
export const webSources: readonly string[];
