// The profile inside an offline page.

/** Id of the element with the data. */
export const offlineId = 'profile-data';
/** File name of the data. */
export const offlineName = 'profile.pb.gz';

export interface OfflineData {
  readonly file: File;
  /** State of the page, as in an address. */
  readonly view: string;
}

/** Reads the data of this page; undefined if the page comes from a server. */
export function readOfflineData(): OfflineData | undefined {
  const element = document.getElementById(offlineId);
  if (element === null) return undefined;
  const bytes = Uint8Array.from(atob(element.textContent ?? ''), (char) => char.charCodeAt(0));
  return {
    file: new File([bytes], offlineName, { lastModified: 0 }),
    view: element.dataset['view'] ?? '',
  };
}
