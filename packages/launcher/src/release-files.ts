import { UserError } from '@switchyard/bootstrap/user-error';

export function withVersion(file: string, text: string, now: string, version: string): string {
  const quoted = now.replaceAll('.', '\\.');
  if (file.endsWith('package.json')) {
    return text.replace(`"version": "${now}"`, `"version": "${version}"`);
  }
  if (file.endsWith('Chart.yaml')) {
    return text.replace(new RegExp(`^((?:appV|v)ersion: )${quoted}$`, 'gm'), `$1${version}`);
  }
  if (file.endsWith('.yaml')) {
    return text.replace(
      new RegExp(`(newTag: (?:&\\w+ )?"?)${quoted}(?=["\\s])`, 'g'),
      `$1${version}`,
    );
  }
  if (file === 'docker-compose.yml') {
    return text.replaceAll(`{SWITCHYARD_VERSION:-${now}}`, `{SWITCHYARD_VERSION:-${version}}`);
  }
  if (file.endsWith('Dockerfile')) {
    return text.replaceAll(`ARG VERSION=${now}\n`, `ARG VERSION=${version}\n`);
  }
  return text.replace(
    new RegExp(`(switchyard-[a-z]+[:-])${quoted}(?![\\w.]*\\d)`, 'g'),
    `$1${version}`,
  );
}

export function datedChangelog(text: string, version: string, day: string): string {
  const [before, rest] = text.split(/^## Unreleased\n/m);
  const entries = rest?.split(/^## /m)[0]?.trim();
  if (before === undefined || !entries) {
    throw new UserError(
      'CHANGELOG.md has no entry under "## Unreleased".',
      'Add the changes that users or operators notice.',
    );
  }
  return `${before}## Unreleased\n\n## ${version} – ${day}\n${rest}`;
}
