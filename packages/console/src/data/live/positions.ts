import { comparePositions } from '@switchyard/client';

/** The header with the position in the stream of changes up to which an answer is complete. */
const HEADER = 'x-event-position';

/** Position up to which a tab knows a company's changes. */
export interface Place {
  /** Position of the last recorded change; empty before the first answer with one. */
  position: string;
  /** Last mark from the tab that holds the stream; empty before the first. */
  mark: string;
}

/** Position of the last read list of companies; empty before the first. */
let companies = '';

/** Last known place per company; cached answers belong to it. */
const followed = new Map<string, Place>();

/**
 * Records the position of the list of companies, which a page reads first. Further pages and archived companies do not move the position of a
 * company that was already read.
 */
export function noteCompaniesRead({ url }: Pick<Request, 'url'>, { headers }: Response): void {
  const position = headers.get(HEADER);
  if (position && (!companies || !new URL(url).search)) companies = position;
}

export const noteFollowed = (companyId: string, place: Place): void =>
  void followed.set(companyId, place);

/** Returns where the stream of a company must begin to cover everything this page has read; empty for now. */
export function startOf(companyId: string): Place {
  const { position = '', mark = '' } = followed.get(companyId) ?? {};
  return { position: position || companies, mark };
}

/** Returns false if either is unknown. */
export const isLater = (one: string, other: string): boolean =>
  one !== '' && other !== '' && comparePositions(one, other) > 0;
