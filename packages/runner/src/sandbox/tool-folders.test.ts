import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type ClosedPlaces, closedPlaces } from './closed-places';
import { pathsOfArgument, pathsOfFolder, pathsOfProgram } from './tool-folders';

describe('pathsOfProgram(), pathsOfArgument() and pathsOfFolder()', () => {
  let home: string;
  let places: ClosedPlaces;
  const below = (...parts: string[]) => join(home, ...parts);
  const make = async (path: string, text = '') => {
    await mkdir(dirname(below(path)), { recursive: true });
    await writeFile(below(path), text, { mode: 0o755 });
    return below(path);
  };
  const link = async (path: string, target: string) => {
    await mkdir(dirname(below(path)), { recursive: true });
    await symlink(target, below(path));
    return below(path);
  };

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'tool-folders-')));
    const workspaceRoots = [below('work/{companyId}')];
    places = closedPlaces({ home, dataDir: below('data'), workspaceRoots });
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  it('return the packages of the nvm version in use', async () => {
    const packages = below('.nvm/versions/node/v24/lib/node_modules');
    const tool = await make('.nvm/versions/node/v24/lib/node_modules/@acme/tool/cli.js');
    const program = await link('.nvm/versions/node/v24/bin/tool', tool);
    expect(pathsOfFolder(dirname(program), places)).toEqual([dirname(program), packages]);
    expect(pathsOfProgram(program, places)).toEqual([program, packages]);
  });

  it('return only the program folders of a version manager', async () => {
    const shim = await make('.pyenv/shims/python3');
    expect(pathsOfFolder(dirname(shim), places)).toContain(below('.pyenv/versions'));
    await make('.local/bin/tool');
    await make('.local/share/keyrings/login');
    await make('.cargo/bin/cargo');
    await make('.cargo/credentials.toml');
    const found = [
      ...pathsOfFolder(below('.local/bin'), places),
      ...pathsOfFolder(below('.cargo/bin'), places),
    ];
    expect(found).toEqual(expect.arrayContaining([below('.local/bin'), below('.cargo/bin')]));
    for (const folder of ['.pyenv', '.local', '.cargo', '.local/share']) {
      expect(found).not.toContain(below(folder));
    }
  });

  it('return only the bin folder of other tools', async () => {
    for (const name of ['.docker', '.fly', '.pulumi']) {
      await make(`${name}/config.json`);
      await make(`${name}/bin/tool`);
      expect(pathsOfFolder(below(name, 'bin'), places)).toEqual([below(name, 'bin')]);
    }
  });

  it('return a whole virtual environment', async () => {
    await make('venv/pyvenv.cfg');
    const tool = await make('venv/bin/tool');
    expect(pathsOfFolder(dirname(tool), places)).toEqual([dirname(tool), below('venv')]);
    expect(pathsOfProgram(tool, places)).toEqual([below('venv')]);
  });

  it('return a program’s package, or only its file if it has no package', async () => {
    await make('code/project/package.json', '{}');
    expect(pathsOfProgram(await make('code/project/src/agent.mjs'), places)).toEqual([
      below('code/project'),
    ]);
    const script = await make('tools/agent.py');
    await make('tools/password');
    expect(pathsOfProgram(script, places)).toEqual([script]);
  });

  it('return only the file that an argument names, or nothing if it may contain a secret', async () => {
    const script = await make('tools/agent.py');
    expect(pathsOfArgument(script, places)).toEqual([script]);
    await make('.ssh/known_hosts');
    await make('data/secrets.json');
    await make('tools/.env');
    const hidden = [below('.ssh/known_hosts'), below('data/secrets.json'), below('tools/.env')];
    const linked = await link('tools/innocent', below('data/secrets.json'));
    for (const file of [...hidden, linked]) expect(pathsOfArgument(file, places)).toEqual([]);
  });

  it.each([
    ['the home folder', 'package.json', 'agent.mjs'],
    ['DATA_DIR', 'switchyard/package.json', 'switchyard/agent.mjs'],
    ['a .env file', 'secret/package.json', 'secret/agent.mjs'],
    ['the work of several companies', 'work/package.json', 'work/agent.mjs'],
  ])('never return a folder that contains %s', async (_, packageFile, program) => {
    await make(packageFile, '{}');
    await make('secret/.env', 'KEY=1');
    const file = await make(program);
    places = closedPlaces({
      home,
      dataDir: below('switchyard/.data'),
      workspaceRoots: [below('work/{companyId}')],
    });
    expect(pathsOfProgram(file, places)).toEqual([file]);
    expect(pathsOfFolder(dirname(file), places)).toEqual([]);
    expect(places.isRefused(dirname(file))).toBe(true);
    expect(places.isRefused(file)).toBe(false);
  });

  it('return no path in the checkout or in DATA_DIR', async () => {
    const checkout = resolve(__dirname, '../../../..');
    expect(pathsOfFolder(join(checkout, 'node_modules/.bin'), places)).toEqual([]);
    expect(places.isRefused(join(checkout, 'docs'))).toBe(true);
    expect(pathsOfProgram(await make('data/tool'), places)).toEqual([]);
    expect(places.isRefused(below('data/secrets.json'))).toBe(true);
  });

  it('return no path for folders, system programs and missing files', () => {
    expect(pathsOfProgram(below('missing'), places)).toEqual([]);
    expect(pathsOfProgram(home, places)).toEqual([]);
    expect(pathsOfProgram('/usr/bin/env', places)).toEqual([]);
    expect(pathsOfFolder('/usr/bin', places)).toEqual([]);
    expect(pathsOfFolder(below('missing'), places)).toEqual([]);
  });
});
