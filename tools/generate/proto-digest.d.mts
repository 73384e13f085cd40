export const digestFile: string;
export function protoFiles(folder: string): string[];
export function digestOf(outputFolder: string): string;
