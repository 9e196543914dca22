const MAX_NAME = 200;

/** What a workspace without a name is called: the last part of its directory or repository. */
export function workspaceName(cwd: string | null, repoUrl: string | null): string {
  const place = cwd ?? repoUrl ?? '';
  const parts = cwd === null ? place.split(/[/:]/) : place.split('/');
  const last = parts.findLast((part) => part.trim() !== '') ?? place;
  const bare = cwd === null && last.endsWith('.git') ? last.slice(0, -4) : last;
  const name = (bare.trim() === '' ? last : bare).slice(0, MAX_NAME);
  return name.isWellFormed() ? name : name.slice(0, -1);
}
