/**
 * Sentences per part of the repository that still break a rule; a part without a line has none.
 * Lower a number after rewriting; a number never rises.
 */
export const DEBT: Record<string, number> = {
  'packages/sandbox': 1,
  prisma: 6,
};

/** Comments in the whole repository; lower it after deleting some. */
export const MOST_COMMENTS = 2339;
