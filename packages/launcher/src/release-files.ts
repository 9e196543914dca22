import { UserError } from '@switchyard/bootstrap/user-error';

/** The numbers alone, then a version with a suffix before the one without. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => {
    const [numbers = '', ...suffix] = version.split('-');
    return { numbers: numbers.split('.').map(Number), suffix: suffix.join('-') };
  }) as [Parts, Parts];
  const at = a.numbers.findIndex((number, index) => number !== b.numbers[index]);
  if (at >= 0) return (a.numbers[at] as number) - (b.numbers[at] as number);
  if (a.suffix === b.suffix) return 0;
  if (a.suffix === '' || b.suffix === '') return a.suffix === '' ? 1 : -1;
  return a.suffix.localeCompare(b.suffix, 'en', { numeric: true });
}

interface Parts {
  numbers: number[];
  suffix: string;
}

/** `text` with the version of now where it stands for the release: of a package, or in the tag or file of one. */
export function withVersion(file: string, text: string, now: string, version: string): string {
  const quoted = now.replaceAll('.', '\\.');
  if (file.endsWith('package.json')) {
    return text.replace(`"version": "${now}"`, `"version": "${version}"`);
  }
  if (file.endsWith('.yaml')) {
    return text.replace(
      new RegExp(`(newTag: (?:&\\w+ )?"?)${quoted}(?=["\\s])`, 'g'),
      `$1${version}`,
    );
  }
  if (file.endsWith('Dockerfile')) {
    return text.replaceAll(`ARG VERSION=${now}\n`, `ARG VERSION=${version}\n`);
  }
  return text.replace(
    new RegExp(`(switchyard-[a-z]+[:-])${quoted}(?![\\w.]*\\d)`, 'g'),
    `$1${version}`,
  );
}

/** What is under _Unreleased_ gets its version and day, and a new heading stands above it. */
export function datedChangelog(text: string, version: string, day: string): string {
  const [before, rest] = text.split(/^## Unreleased\n/m);
  const entries = rest?.split(/^## /m)[0]?.trim();
  if (before === undefined || !entries) {
    throw new UserError(
      'CHANGELOG.md says nothing under "## Unreleased".',
      'Write there what a user or operator will notice.',
    );
  }
  return `${before}## Unreleased\n\n## ${version} – ${day}\n${rest}`;
}
