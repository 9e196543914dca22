import { kindOf, workspaceBody } from './workspace-body';

describe('workspaceBody and kindOf', () => {
  it('sends no field of the other kind', () => {
    const typed = { name: 'site', repoUrl: 'https://a.example/b', cwd: '/srv/site' };
    expect(workspaceBody(typed, 'repository', undefined)).toEqual({
      name: 'site',
      repoUrl: 'https://a.example/b',
    });
    expect(workspaceBody(typed, 'folder', undefined)).toEqual({ name: 'site', cwd: '/srv/site' });
  });

  it('clears the stored fields of the other kind', () => {
    const stored = { repoUrl: 'https://a.example/b', repoRef: 'main', repoCredential: null };
    expect(workspaceBody({ cwd: '/srv/site' }, 'folder', stored)).toEqual({
      cwd: '/srv/site',
      repoUrl: null,
      repoRef: null,
    });
    expect(workspaceBody({}, 'repository', { cwd: '/srv/site' })).toEqual({ cwd: null });
  });
});

it('treats a workspace with folder and repository as a folder', () => {
  expect(kindOf({ cwd: '/srv/site' })).toBe('folder');
  expect(kindOf({ cwd: null })).toBe('repository');
});
