const BASE = 'http://own.invalid';

export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !wanted.startsWith('/')) return '/';
  if (!URL.canParse(wanted, BASE)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, BASE);
  if (origin !== BASE || /^\/(?:sign-in|login|api)(?:\/|$)/i.test(pathname)) return '/';
  // A path with dots may normalise to `//host`, e.g. `/.//host`.
  return pathname.startsWith('//') ? '/' : pathname + search + hash;
}

export function signInAt(wanted: unknown, problem = ''): string {
  const next = ownPath(wanted);
  return `/sign-in${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}${problem}`;
}
