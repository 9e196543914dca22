import { z } from 'zod';
import { commaList, id, optionalText, pageQuery, timestamp } from '../primitives';
import { ISSUE_STATUSES } from './issues';

export const SEARCH_TYPES = ['issue', 'comment', 'document', 'agent', 'project'] as const;

/** Start and exclusive end of each match, in UTF-16 code units. */
const hits = z.array(z.tuple([z.int(), z.int()]));

export const searchResult = z.object({
  type: z.enum(SEARCH_TYPES),
  id,
  /** For a comment the title of its issue; for an agent its name. */
  title: z.string(),
  titleHits: hits,
  snippet: z.string(),
  snippetHits: hits,
  issueId: id.nullable(),
  identifier: z.string().nullable(),
  issueStatus: z.enum(ISSUE_STATUSES).nullable(),
  documentKey: z.string().nullable(),
  at: timestamp,
});

export const searchQuery = z.strictObject({
  ...pageQuery(20, 50),
  q: optionalText(200)
    .default('')
    .describe(
      'Words, "an exact phrase", -excluded words, or `or`; without a word, nothing is found',
    ),
  types: commaList(SEARCH_TYPES).optional(),
});

export type SearchType = (typeof SEARCH_TYPES)[number];
export type SearchResultView = z.infer<typeof searchResult>;
export type SearchQuery = z.infer<typeof searchQuery>;
