import { z } from 'zod';
import { commaList, id, optionalText, pageQuery, timestamp } from '../primitives';
import { ISSUE_STATUSES } from './issues';

export const SEARCH_TYPES = ['issue', 'comment', 'document', 'agent', 'project'] as const;

/** Where the words that were looked for stand in a text: from, and up to but without, in UTF-16 code units. */
const hits = z.array(z.tuple([z.int(), z.int()]));

export const searchResult = z.object({
  type: z.enum(SEARCH_TYPES),
  id,
  /** Of an issue, a document and a project its title; of an agent its name; of a comment the title of its issue. */
  title: z.string(),
  titleHits: hits,
  /** A part of the text, on one line and as it was written: no HTML. Empty where there is no text. */
  snippet: z.string(),
  snippetHits: hits,
  /** The issue itself, or that of the comment or document. */
  issueId: id.nullable(),
  identifier: z.string().nullable(),
  /** Of the issue. */
  issueStatus: z.enum(ISSUE_STATUSES).nullable(),
  documentKey: z.string().nullable(),
  /** When it was created; a document, when its latest revision was. */
  at: timestamp,
});

export const searchQuery = z.strictObject({
  ...pageQuery(20, 50),
  q: optionalText(200)
    .default('')
    .describe(
      'Words, "words that follow each other", -without, or; without a word nothing is found',
    ),
  types: commaList(SEARCH_TYPES).optional(),
});

export type SearchType = (typeof SEARCH_TYPES)[number];
export type SearchResultView = z.infer<typeof searchResult>;
export type SearchQuery = z.infer<typeof searchQuery>;
