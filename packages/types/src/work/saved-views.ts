import { z } from 'zod';
import { id, name, optionalText, pageQuery, timestamp } from '../primitives';

export const MAX_SAVED_VIEWS = 100;

const screen = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,39}$/,
    'must have 1 to 40 of the characters a-z, 0-9 and -, beginning with a letter',
  );
const query = optionalText(2_000).describe(
  'The query string of the address without `?`, stored unchanged',
);

/** Only the creator sees a view, unless `isShared` shows it to the whole board. */
export const savedView = z.object({
  id,
  companyId: id,
  userId: z.string(),
  userName: z.string().nullable(),
  isOwn: z.boolean().describe('True if the view belongs to the caller'),
  name: z.string(),
  screen: z.string(),
  query: z.string(),
  isShared: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const createSavedViewBody = z.strictObject({
  name,
  screen,
  query,
  isShared: z.boolean().default(false),
});

export const updateSavedViewBody = z.strictObject({ name, query, isShared: z.boolean() }).partial();

export const listSavedViewsQuery = z.strictObject({ ...pageQuery(), screen: screen.optional() });

export type SavedViewView = z.infer<typeof savedView>;
export type CreateSavedViewBody = z.infer<typeof createSavedViewBody>;
export type UpdateSavedViewBody = z.infer<typeof updateSavedViewBody>;
export type ListSavedViewsQuery = z.infer<typeof listSavedViewsQuery>;
