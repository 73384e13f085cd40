export const digestFile: string;
export function protoFiles(folder: string): string[];
export function computeProtoDigest(outputFolder: string): string;
