export const INEXACT_NUMBER = 'must be sent as a string: the number would lose precision';

type Path = (string | number)[];

/** Matches a number that may lose digits: 16 or more digits, or an exponent. */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE]/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON. A number that would lose digits becomes a string of its digits.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return LONG_NUMBER.test(text) ? JSON.parse(text.replace(TOKEN, exactly)) : value;
}

export function inexactNumber(text: string, value: unknown): Path | null {
  return LONG_NUMBER.test(text) ? firstDifference(value, parseExactly(text)) : null;
}

function exactly(token: string): string {
  if (token.startsWith('"')) return token;
  const value = Number(token);
  const isExact = /^-?\d+$/.test(token) ? Number.isSafeInteger(value) : isPrinted(token, value);
  return isExact ? token : `"${token}"`;
}

/**
 * Returns true if `token` has the form in which programs print this float: with the fewest digits
 * that identify it, or with 17.
 */
function isPrinted(token: string, value: number): boolean {
  const digits = significantDigits(token);
  return (
    Number.isFinite(value) &&
    (digits === significantDigits(String(value)) ||
      digits === significantDigits(value.toPrecision(17)))
  );
}

function significantDigits(token: string): string {
  return token
    .replace(/e.*/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
}

function firstDifference(value: unknown, exact: unknown): Path | null {
  const waiting: { value: unknown; exact: unknown; path: Link | null }[] = [
    { value, exact, path: null },
  ];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { value, exact, path } = one;
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).reverse()) {
        const link = { key: Array.isArray(value) ? Number(key) : key, above: path };
        waiting.push({ value: inner, exact: (exact as Record<string, unknown>)[key], path: link });
      }
    } else if (value !== exact) return partsOf(path);
  }
  return null;
}

interface Link {
  key: string | number;
  above: Link | null;
}

function partsOf(path: Link | null): Path {
  const parts: Path = [];
  for (let link = path; link !== null; link = link.above) parts.push(link.key);
  return parts.reverse();
}
