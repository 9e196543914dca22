/** What is wrong with a number of a body that JavaScript cannot hold. */
export const INEXACT_NUMBER = 'is a number that would lose digits: send it as a string';

type Path = (string | number)[];

const LONG_NUMBER = /\d{16}|\d[eE]/;
/** Strings and numbers of a text that is JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * `JSON.parse`, but a number that JavaScript cannot hold (a whole number beyond 2^53, anything beyond 1.8e308) becomes a
 * string of its digits.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return LONG_NUMBER.test(text) ? JSON.parse(text.replace(TOKEN, exactly)) : value;
}

/** Where a text that is JSON has a number that JavaScript cannot hold, the first of them; null when there is none. */
export function inexactNumber(text: string, value: unknown): Path | null {
  return LONG_NUMBER.test(text) ? firstDifference(value, parseExactly(text)) : null;
}

function exactly(token: string): string {
  if (token.startsWith('"')) return token;
  const value = Number(token);
  const isExact = /^-?\d+$/.test(token) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact ? token : `"${token}"`;
}

/** Of two values that differ in nothing but a number that became a string. */
function firstDifference(value: unknown, exact: unknown): Path | null {
  if (typeof value !== 'object' || value === null) return value === exact ? null : [];
  for (const [key, inner] of Object.entries(value)) {
    const path = firstDifference(inner, (exact as Record<string, unknown>)[key]);
    if (path) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return null;
}
