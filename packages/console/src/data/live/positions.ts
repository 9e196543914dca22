import { comparePositions } from '@switchyard/client';

/** What the service names of the stream of changes in an answer that shows everything up to there. */
const HEADER = 'x-event-position';

/** Up to where the companies were known when they were last read; empty before that. */
let companies = '';

/** Up to where each company was followed; what was read of it then is kept for a while. */
const followed = new Map<string, string>();

/** A page reads the companies before anything else of one. */
export function noteCompaniesRead({ headers }: Response): void {
  companies = headers.get(HEADER) ?? companies;
}

export const noteFollowed = (companyId: string, position: string): void =>
  void followed.set(companyId, position);

/** Where the stream of a company is to begin, so that nothing is missing of what this page has read: empty for now. */
export const startOf = (companyId: string): string => followed.get(companyId) || companies;

/** False where either is not known. */
export const isLater = (one: string, other: string): boolean =>
  one !== '' && other !== '' && comparePositions(one, other) > 0;
