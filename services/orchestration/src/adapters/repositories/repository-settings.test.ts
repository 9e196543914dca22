import { z } from 'zod';
import { mayName } from './allowed-folder';
import { repositoryEnvironment, repositorySettings } from './repository-settings';

const read = (variables: Record<string, string>, isAuthenticated: boolean) =>
  repositorySettings(z.object(repositoryEnvironment).parse(variables), isAuthenticated);

describe('where directories may lie', () => {
  it('is anywhere in local mode, nowhere in authenticated mode, and in the list where there is one', () => {
    expect(read({}, false).workspaceRoots).toBe('any');
    expect(read({}, true).workspaceRoots).toEqual([]);
    for (const isAuthenticated of [false, true]) {
      const { workspaceRoots } = read({ WORKSPACE_ROOTS: '/srv/a, /srv/b' }, isAuthenticated);
      expect(workspaceRoots).toEqual(['/srv/a', '/srv/b']);
    }
    expect(() => read({ WORKSPACE_ROOTS: 'srv' }, true)).toThrow('absolute');
  });

  it.each([
    ['/srv/a', true],
    ['/srv/a/', true],
    ['/srv/a/b/../c', true],
    ['/srv/a/../b', false],
    ['/srv/ab', false],
    ['/srv', false],
    ['/', false],
    ['/etc/../srv/a/x', true],
  ])('of the root /srv/a: %s is %s', (path, isInside) => {
    expect(mayName(['/srv/a'], path)).toBe(isInside);
    expect(mayName(['/srv/a/'], path)).toBe(isInside);
    expect(mayName([], path)).toBe(false);
    expect(mayName('any', path)).toBe(true);
  });
});
