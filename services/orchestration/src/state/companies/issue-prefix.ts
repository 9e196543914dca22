/**
 * Returns the prefix of a company's issue identifiers (`ACM-42`): the first letter of its name and
 * the next two consonants, or the first three letters. Adds a number if `attempt` > 0.
 */
export function issuePrefix(name: string, attempt: number): string {
  const letters = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
  const consonants = (letters[0] ?? '') + letters.slice(1).replace(/[AEIOU]/g, '');
  const base = (consonants.length >= 3 ? consonants : letters).slice(0, 3) || 'CO';
  return attempt === 0 ? base : `${base}${attempt + 1}`;
}
