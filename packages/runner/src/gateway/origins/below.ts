/** Matches dot segments in any encoding, because they could lead a path out of its prefix. */
const DOTS = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\?;]|%2f|%5c)/i;

export function below(path: string, prefix: string): string | null {
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : null;
}

export function hasDots(path: string): boolean {
  return DOTS.test(path.split('?')[0] as string);
}
