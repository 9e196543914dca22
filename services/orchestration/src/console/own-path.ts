const BASE = 'http://own.invalid';

/** Where to go on after signing in: a path of this origin, whatever the address or the form asks for. */
export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/';
  if (!URL.canParse(wanted, BASE)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, BASE);
  if (origin !== BASE || /^\/(?:sign-in|login|api)(?:\/|$)/i.test(pathname)) return '/';
  // `//host` may come out of a path that has dots: `/.//host`.
  return pathname.startsWith('//') ? '/' : pathname + search + hash;
}

/** The sign-in page, and behind it where somebody wanted to be. */
export function signInAt(wanted: string, problem = ''): string {
  const next = ownPath(wanted);
  return `/sign-in${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}${problem}`;
}
