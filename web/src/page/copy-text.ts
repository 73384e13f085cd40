// Copies text to the clipboard.

/** Copies a text. Errors: a reason for the user, because browsers copy only on pages over HTTPS. */
export async function copyText(text: string): Promise<void> {
  if (!isSecureContext) throw new Error('The browser copies only on pages over HTTPS');
  await navigator.clipboard.writeText(text);
}
