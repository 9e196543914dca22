import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { toolFolders } from './tool-folders';

describe('the folders of a program', () => {
  let home: string;
  const below = (...parts: string[]) => join(home, ...parts);
  const make = async (path: string, text = '') => {
    await mkdir(dirname(below(path)), { recursive: true });
    await writeFile(below(path), text, { mode: 0o755 });
    return below(path);
  };

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'tool-folders-')));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('nvm: the version that is used, with its packages', async () => {
    const tool = await make('.nvm/versions/node/v24/lib/node_modules/@acme/tool/cli.js');
    await mkdir(below('.nvm/versions/node/v24/bin'), { recursive: true });
    const link = below('.nvm/versions/node/v24/bin/tool');
    await symlink(tool, link);
    expect(await toolFolders.onPath(dirname(link), [home])).toEqual([
      dirname(link),
      below('.nvm/versions/node/v24'),
    ]);
    expect(await toolFolders.ofFile(link, [home])).toEqual([
      dirname(link),
      below('.nvm/versions/node/v24/lib/node_modules'),
    ]);
  });

  it('pyenv: its shims and what they start', async () => {
    const shim = await make('.pyenv/shims/python3');
    expect(await toolFolders.onPath(dirname(shim), [home])).toEqual([
      dirname(shim),
      below('.pyenv'),
    ]);
  });

  it('what lies beside keys in a HOME: the programs alone', async () => {
    await make('.local/bin/tool');
    await make('.local/share/keyrings/login');
    await make('.cargo/bin/cargo');
    await make('.cargo/credentials.toml');
    const found = [
      ...(await toolFolders.onPath(below('.local/bin'), [home])),
      ...(await toolFolders.onPath(below('.cargo/bin'), [home])),
    ];
    expect(found).toEqual(expect.arrayContaining([below('.local/bin'), below('.cargo/bin')]));
    for (const folder of [below('.local'), below('.cargo'), below('.local/share')]) {
      expect(found).not.toContain(folder);
    }
  });

  it('a script in a project: the project, by its package.json', async () => {
    await make('work/project/package.json', '{}');
    const script = await make('work/project/src/agent.mjs');
    expect(await toolFolders.ofFile(script, [home])).toEqual([below('work/project')]);
  });

  it('never a whole HOME, nor a folder that holds our data', async () => {
    await make('package.json', '{}');
    const script = await make('agent.sh');
    expect(await toolFolders.ofFile(script, [home])).toEqual([script]);
    expect(await toolFolders.onPath(below('bin'), [home])).toEqual([]);
    await make('bin/tool');
    expect(await toolFolders.onPath(below('bin'), [home])).toEqual([below('bin')]);
    await make('switchyard/package.json', '{}');
    const example = await make('switchyard/agent.mjs');
    const data = below('switchyard/.data');
    expect(await toolFolders.ofFile(example, [home, data])).toEqual([example]);
  });

  it('nothing for what is missing, a folder, or of the system', async () => {
    expect(await toolFolders.ofFile(below('missing'), [])).toEqual([]);
    expect(await toolFolders.ofFile(home, [])).toEqual([]);
    expect(await toolFolders.ofFile('/usr/bin/env', [])).toEqual([]);
    expect(await toolFolders.onPath('/usr/bin', [])).toEqual([]);
    expect(await toolFolders.onPath(below('missing'), [])).toEqual([]);
  });
});
