// Masks the parts of addresses that may be secrets, in strings that people read.

const userInfo = /(?<=:\/\/)[^/@\s"]+(?=@)/g;

/** Returns the string with `<secret>` instead of `user:password` in each URL. */
export function maskUserInfo(text: string): string {
  return text.replace(userInfo, '<secret>');
}

const query = /(?<=:\/\/[^\s"'?#]*\?)[^\s"'#]+/g;

/** Masks the query of each URL as well, which may contain a token, for the display of settings. */
export function maskUrl(text: string): string {
  return maskUserInfo(text).replace(query, '<secret>');
}
