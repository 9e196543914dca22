const OPENING = /<plan>/i;
const CLOSING = /<\/plan>/i;

/** Two searches for fixed words take linear time. */
export function extractLegacyPlan(description: string | null): string | null {
  if (!description) return null;
  const opening = OPENING.exec(description);
  if (!opening) return null;
  const rest = description.slice(opening.index + opening[0].length);
  const closing = CLOSING.exec(rest);
  return closing ? rest.slice(0, closing.index).trim() || null : null;
}
