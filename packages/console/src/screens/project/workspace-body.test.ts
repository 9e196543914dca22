import { kindOf, workspaceBody } from './workspace-body';

describe('workspaceBody', () => {
  it('sends nothing of the kind that was not chosen', () => {
    const typed = { name: 'site', repoUrl: 'https://a.example/b', cwd: '/srv/site' };
    expect(workspaceBody(typed, 'repository', undefined)).toEqual({
      name: 'site',
      repoUrl: 'https://a.example/b',
    });
    expect(workspaceBody(typed, 'folder', undefined)).toEqual({ name: 'site', cwd: '/srv/site' });
  });

  it('takes the stored other kind away', () => {
    const stored = { repoUrl: 'https://a.example/b', repoRef: 'main', repoCredential: null };
    expect(workspaceBody({ cwd: '/srv/site' }, 'folder', stored)).toEqual({
      cwd: '/srv/site',
      repoUrl: null,
      repoRef: null,
    });
    expect(workspaceBody({}, 'repository', { cwd: '/srv/site' })).toEqual({ cwd: null });
  });
});

it('takes a workspace with a folder for one, also beside a repository', () => {
  expect(kindOf({ cwd: '/srv/site' })).toBe('folder');
  expect(kindOf({ cwd: null })).toBe('repository');
});
