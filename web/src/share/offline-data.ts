// The profiles inside an offline page, and what the page says about them.
import type { SparkPoints } from '../parts/sparkline-path.ts';

/** Id of the element with the first profile; each profile is in an element of its own. */
export const offlineId = 'profile-data';
/** Class of all elements with profiles. */
export const offlineClass = 'profile-data';

/** One side of what was saved, or all of it, over time. */
export interface OfflineLine {
  /** Name of the side; "" without a comparison. */
  readonly name: string;
  /** Its time, as text. */
  readonly time: string;
  readonly points: SparkPoints;
  /** Largest value, with its unit. */
  readonly most: string;
  /** Deploys: their position from 0 to 1, and their version and time. */
  readonly deploys: readonly { readonly at: number; readonly text: string }[];
}

/** Facts about the saved view. */
export interface OfflineFacts {
  readonly query: string;
  readonly range: string;
  readonly saved: string;
  /** Link to the view on the server it came from; "" if it came from files. */
  readonly link: string;
  /** Sentence about the view, as the server had it. */
  readonly sentence: string;
  readonly lines: readonly OfflineLine[];
}

export interface OfflineData {
  /** The profile; of a comparison, those of both sides, the base first. */
  readonly files: readonly File[];
  /** State of the page, as in an address. */
  readonly view: string;
  readonly facts: OfflineFacts | undefined;
}

/** Reads the data of this page; undefined if the page comes from a server. */
export function readOfflineData(): OfflineData | undefined {
  const elements = [...document.querySelectorAll<HTMLElement>(`script.${offlineClass}`)];
  const [first] = elements;
  if (first === undefined) return undefined;
  const { view = '', facts } = first.dataset;
  return {
    files: elements.map((element) => {
      const bytes = Uint8Array.from(atob(element.textContent), (char) => char.charCodeAt(0));
      return new File([bytes], element.dataset['name'] ?? 'profile', { lastModified: 0 });
    }),
    view,
    // The page that was saved wrote them.
    facts: facts === undefined ? undefined : (JSON.parse(facts) as OfflineFacts),
  };
}
