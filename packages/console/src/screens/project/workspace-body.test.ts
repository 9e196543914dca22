import { kindOf, workspaceBody } from './workspace-body';

describe('workspaceBody', () => {
  it('contains only the fields of the selected kind', () => {
    const typed = { name: 'site', repoUrl: 'https://a.example/b', cwd: '/srv/site' };
    expect(workspaceBody(typed, 'repository', undefined)).toEqual({
      name: 'site',
      repoUrl: 'https://a.example/b',
    });
    expect(workspaceBody(typed, 'folder', undefined)).toEqual({ name: 'site', cwd: '/srv/site' });
  });

  it('sets stored fields of the other kind to null', () => {
    const stored = { repoUrl: 'https://a.example/b', repoRef: 'main', repoCredential: null };
    expect(workspaceBody({ cwd: '/srv/site' }, 'folder', stored)).toEqual({
      cwd: '/srv/site',
      repoUrl: null,
      repoRef: null,
    });
    expect(workspaceBody({}, 'repository', { cwd: '/srv/site' })).toEqual({ cwd: null });
  });
});

it('kindOf returns folder for a workspace that has a folder', () => {
  expect(kindOf({ cwd: '/srv/site' })).toBe('folder');
  expect(kindOf({ cwd: null })).toBe('repository');
});
