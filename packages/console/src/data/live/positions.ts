import { comparePositions } from '@switchyard/client';

/** What the service names of the stream of changes in an answer that shows everything up to there. */
const HEADER = 'x-event-position';

/** Up to where a tab knows the changes of a company. */
export interface Place {
  /** Of the last change that is recorded; empty before the first answer that names one. */
  position: string;
  /** What the tab that holds the stream told last: others have no position. Empty for who heard of none. */
  mark: string;
}

/** Up to where the companies were known when they were last read; empty before that. */
let companies = '';

/** Up to where each company was followed; what was read of it then is kept for a while. */
const followed = new Map<string, Place>();

/**
 * A page reads the companies before anything else of one. Another page of the list, or the archived ones with it, brings what
 * is shown of a company no further: they count where nothing else was read.
 */
export function noteCompaniesRead({ url }: Pick<Request, 'url'>, { headers }: Response): void {
  const position = headers.get(HEADER);
  if (position && (!companies || !new URL(url).search)) companies = position;
}

export const noteFollowed = (companyId: string, place: Place): void =>
  void followed.set(companyId, place);

/** Where the stream of a company is to begin, so that nothing is missing of what this page has read: empty for now. */
export function startOf(companyId: string): Place {
  const { position = '', mark = '' } = followed.get(companyId) ?? {};
  return { position: position || companies, mark };
}

/** False where either is not known. */
export const isLater = (one: string, other: string): boolean =>
  one !== '' && other !== '' && comparePositions(one, other) > 0;
