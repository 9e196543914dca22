/** A dot segment in any spelling: what is pinned to a path must not leave it at the other end. */
const DOTS = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\?;]|%2f|%5c)/i;

/** What follows a prefix in a path, beginning with `/` or `?` or empty; null when the path is not below it. */
export function below(path: string, prefix: string): string | null {
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : null;
}

export function hasDots(path: string): boolean {
  return DOTS.test(path.split('?')[0] as string);
}
