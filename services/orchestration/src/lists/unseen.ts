/**
 * SQL: a parameter that plans do not look at, for the start and the length of a list whose rows one index has in its order.
 * Where plans see them, each seems cheaper than the one for all, so that every request is planned anew, which takes longer
 * than to read the page. Not for a list with filters whose best plan depends on their values.
 */
export const unseen = (parameter: string | undefined): string => `(SELECT ${parameter})`;
