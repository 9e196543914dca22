/** Where to go on after signing in: a path of this origin, whatever the address asks for. */
export function ownPath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith('/')) return '/';
  const base = 'http://own.invalid';
  if (!URL.canParse(wanted, base)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, base);
  if (origin !== base || /^\/(?:sign-in|login|api)(?:\/|$)/i.test(pathname)) return '/';
  // `//host` may come out of a path that has dots: `/.//host`.
  return pathname.startsWith('//') ? '/' : pathname + search + hash;
}
