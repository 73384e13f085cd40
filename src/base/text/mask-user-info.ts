// Masks the user and the password of addresses in texts that people read.

const userInfo = /(?<=:\/\/)[^/@\s"]+(?=@)/g;

/** Returns the text with `<secret>` in place of `user:password` in each URL. */
export function maskUserInfo(text: string): string {
  return text.replace(userInfo, '<secret>');
}
