import { randomUUID } from 'node:crypto';
import { allowedHosts } from './allowed-hosts';
import { hostsOf } from './guarded-connector';

describe('allowedHosts', () => {
  const [own, other] = [randomUUID(), randomUUID()];

  it('opens a host for all companies, or only for the company after the @', () => {
    const listed = allowedHosts.parse(
      `git.internal, Agents.Internal:8080@${own.toUpperCase()}, [fd00::1]:443@${other}`,
    );
    expect(hostsOf(listed, own)).toEqual(['git.internal', 'agents.internal:8080']);
    expect(hostsOf(listed, other)).toEqual(['git.internal', '[fd00::1]:443']);
    expect(hostsOf(listed, randomUUID())).toEqual(['git.internal']);
    expect(hostsOf(allowedHosts.parse(undefined), own)).toEqual([]);
  });

  it.each([
    'git.internal@',
    'git.internal@acme',
    `@${own}`,
    `git.internal@${own}@${other}`,
    `git.internal@${own}x`,
    'git internal',
    'https://git.internal',
  ])('rejects an entry with an invalid company or host: %s', (entry) => {
    expect(allowedHosts.safeParse(entry).success).toBe(false);
  });
});
