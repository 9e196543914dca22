export function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = plain(name);
  const same = known.filter((other) => plain(other) === wanted);
  if (same.length > 0) return same;
  if (wanted.length < SHORTEST) return [];
  return known.filter((other) => {
    const [shorter, longer] = [wanted, plain(other)].sort((a, b) => a.length - b.length);
    if (!shorter || !longer || shorter.length < SHORTEST) return false;
    return longer.startsWith(shorter) || longer.endsWith(shorter);
  });
}

const SHORTEST = 4;

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
