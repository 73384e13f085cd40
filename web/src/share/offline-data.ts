// Profiles in an offline page, and facts about them.
import type { SparkPoints } from '../parts/sparkline-path.ts';

/** Id of the element with the first profile; each profile has its own element. */
export const offlineId = 'profile-data';
/** Class of all elements with profiles. */
export const offlineClass = 'profile-data';

/** Values over time of one side or of the complete saved view. */
export interface OfflineLine {
  /** Name of the side; "" without a comparison. */
  readonly name: string;
  /** Time range as text. */
  readonly time: string;
  readonly points: SparkPoints;
  /** Largest value with its unit. */
  readonly most: string;
  /** Deploys with position (0 to 1), version and time. */
  readonly deploys: readonly { readonly at: number; readonly text: string }[];
}

/** Facts about the saved view. */
export interface OfflineFacts {
  readonly query: string;
  readonly range: string;
  readonly saved: string;
  /** URL of the view on the original server; "" if it came from files. */
  readonly link: string;
  /** Sentence about the view, as shown on the server. */
  readonly sentence: string;
  readonly lines: readonly OfflineLine[];
}

export interface OfflineData {
  /** The profile; for a comparison, the profiles of both sides, base first. */
  readonly files: readonly File[];
  /** Page state in URL format. */
  readonly view: string;
  readonly facts: OfflineFacts | undefined;
}

/** Reads the data in this page; undefined if the page comes from a server. */
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
    // The saved page contains valid facts, because this code wrote them.
    facts: facts === undefined ? undefined : (JSON.parse(facts) as OfflineFacts),
  };
}
