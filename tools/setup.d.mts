// The types of setup.mjs for TypeScript, as far as tests use it.
export const root: string;
export const webSources: readonly string[];
export class SetupError extends Error {}
export function failSetup(error: unknown): void;
export function say(text: string): void;
