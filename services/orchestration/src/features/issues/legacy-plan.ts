const OPENING = /<plan>/i;
const CLOSING = /<\/plan>/i;

/** Searches for two fixed words instead of one pattern, so that the time is linear. */
export function extractLegacyPlan(description: string | null): string | null {
  if (!description) return null;
  const opening = OPENING.exec(description);
  if (!opening) return null;
  const rest = description.slice(opening.index + opening[0].length);
  const closing = CLOSING.exec(rest);
  return closing ? rest.slice(0, closing.index).trim() || null : null;
}
