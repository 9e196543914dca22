export function ownPath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith('/')) return '/';
  const base = 'http://own.invalid';
  if (!URL.canParse(wanted, base)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, base);
  if (origin !== base || /^\/(?:sign-in|login|api)(?:\/|$)/i.test(pathname)) return '/';
  // Rejects `//host`, to which a path with dots may resolve, e.g. `/.//host`.
  return pathname.startsWith('//') ? '/' : pathname + search + hash;
}
