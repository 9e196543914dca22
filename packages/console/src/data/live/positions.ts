import { comparePositions } from '@switchyard/client';

const HEADER = 'x-event-position';

export interface Place {
  position: string;
  mark: string;
}

let companies = '';

const followed = new Map<string, Place>();

/**
 * Records the position of the company list, because every page load reads that list first. Further
 * pages of the list, and lists of archived companies, do not replace a recorded position.
 */
export function noteCompaniesRead({ url }: Pick<Request, 'url'>, { headers }: Response): void {
  const position = headers.get(HEADER);
  if (position && (!companies || !new URL(url).search)) companies = position;
}

export const noteFollowed = (companyId: string, place: Place): void =>
  void followed.set(companyId, place);

export function startOf(companyId: string): Place {
  const { position = '', mark = '' } = followed.get(companyId) ?? {};
  return { position: position || companies, mark };
}

export const isLater = (one: string, other: string): boolean =>
  one !== '' && other !== '' && comparePositions(one, other) > 0;
