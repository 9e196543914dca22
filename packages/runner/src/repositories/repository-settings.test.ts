import { randomUUID } from 'node:crypto';
import { readEnvironment } from '@switchyard/server';
import { z } from 'zod';
import { isAllowedPath } from './allowed-folder';
import {
  authenticatedRepositoryEnvironment,
  repositoryEnvironment,
  repositorySettings,
} from './repository-settings';

const local = z.object(repositoryEnvironment);
const schemas = { local, authenticated: local.extend(authenticatedRepositoryEnvironment) };

const read = (variables: Record<string, string>, isAuthenticated: boolean) =>
  repositorySettings(
    readEnvironment(isAuthenticated ? schemas.authenticated : schemas.local, variables),
    isAuthenticated,
  );

describe('WORKSPACE_ROOTS', () => {
  it('defaults to any folder in local mode and to no folder in authenticated mode', () => {
    expect(read({}, false).workspaceRoots).toBe('any');
    expect(read({}, true).workspaceRoots).toEqual([]);
    const roots = ['/srv/{companyId}', '/mnt/b/{companyId}/work'];
    for (const isAuthenticated of [false, true]) {
      const { workspaceRoots } = read({ WORKSPACE_ROOTS: roots.join(', ') }, isAuthenticated);
      expect(workspaceRoots).toEqual(roots);
    }
    expect(read({ WORKSPACE_ROOTS: '/srv/a, /srv/b' }, false).workspaceRoots).toEqual([
      '/srv/a',
      '/srv/b',
    ]);
    expect(() => read({ WORKSPACE_ROOTS: 'srv/{companyId}' }, true)).toThrow('absolute');
  });

  it.each([
    '/srv/work',
    '/srv/{companyId}, /srv/shared',
    '/srv/{companyId}/..',
    '/srv/{companyId}/../work',
  ])(
    'in authenticated mode, rejects a folder that all companies would share: %s',
    (WORKSPACE_ROOTS) => {
      const refused =
        /^ {2}WORKSPACE_ROOTS: must contain \{companyId\} .*\/srv\/work\/\{companyId\}/m;
      expect(() => read({ WORKSPACE_ROOTS }, true)).toThrow(refused);
      expect(read({ WORKSPACE_ROOTS }, false).workspaceRoots).toEqual(expect.any(Array));
    },
  );

  it.each([
    '/srv/{companyid}',
    '/srv/{company}',
    '/srv/work-{companyId}',
    '/srv/{companyId}{companyId}',
    '/srv/{companyId}/{agentId}',
  ])('rejects an unknown or partial placeholder: %s', (WORKSPACE_ROOTS) => {
    for (const isAuthenticated of [false, true]) {
      expect(() => read({ WORKSPACE_ROOTS }, isAuthenticated)).toThrow(
        'must not contain placeholders other than {companyId}',
      );
    }
  });

  const own = randomUUID();
  const other = randomUUID();

  it.each([
    ['/srv/a', true],
    ['/srv/a/', true],
    ['/srv/a/b/../c', true],
    ['/srv/a/../b', false],
    ['/srv/ab', false],
    ['/srv', false],
    ['/', false],
    ['/etc/../srv/a/x', true],
  ])('isAllowedPath(), given the root /srv/a and the path %s, returns %s', (path, isInside) => {
    expect(isAllowedPath(['/srv/a'], own, path)).toBe(isInside);
    expect(isAllowedPath(['/srv/a/'], own, path)).toBe(isInside);
    expect(isAllowedPath([], own, path)).toBe(false);
    expect(isAllowedPath('any', own, path)).toBe(true);
  });

  it.each([
    [`/srv/${own}`, true],
    [`/srv/${own}/site`, true],
    [`/srv/${other}/../${own}/site`, true],
    [`/srv/${other}`, false],
    [`/srv/${own}/../${other}`, false],
    [`/srv/${own}2`, false],
    ['/srv/{companyId}', false],
    ['/srv', false],
  ])(
    'isAllowedPath(), given the root /srv/{companyId} and the path %s, returns %s',
    (path, isInside) => {
      for (const root of ['/srv/{companyId}', '/srv/./x/../{companyId}/']) {
        expect(isAllowedPath([root], own, path)).toBe(isInside);
      }
    },
  );
});
