import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type ClosedPlaces, closedPlaces } from './closed-places';
import { ofArgument, ofProgram, onPath } from './tool-folders';

describe('what is opened for a program', () => {
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

  it('nvm: the programs of the version that is used, with their packages', async () => {
    const packages = below('.nvm/versions/node/v24/lib/node_modules');
    const tool = await make('.nvm/versions/node/v24/lib/node_modules/@acme/tool/cli.js');
    const program = await link('.nvm/versions/node/v24/bin/tool', tool);
    expect(onPath(dirname(program), places)).toEqual([dirname(program), packages]);
    expect(ofProgram(program, places)).toEqual([program, packages]);
  });

  it('a manager of programs: those of its parts that are programs', async () => {
    const shim = await make('.pyenv/shims/python3');
    expect(onPath(dirname(shim), places)).toContain(below('.pyenv/versions'));
    await make('.local/bin/tool');
    await make('.local/share/keyrings/login');
    await make('.cargo/bin/cargo');
    await make('.cargo/credentials.toml');
    const found = [...onPath(below('.local/bin'), places), ...onPath(below('.cargo/bin'), places)];
    expect(found).toEqual(expect.arrayContaining([below('.local/bin'), below('.cargo/bin')]));
    for (const folder of ['.pyenv', '.local', '.cargo', '.local/share']) {
      expect(found).not.toContain(below(folder));
    }
  });

  it('a bin folder of anything else: nothing beside it', async () => {
    for (const name of ['.docker', '.fly', '.pulumi']) {
      await make(`${name}/config.json`);
      await make(`${name}/bin/tool`);
      expect(onPath(below(name, 'bin'), places)).toEqual([below(name, 'bin')]);
    }
  });

  it('a virtual environment: as a whole', async () => {
    await make('venv/pyvenv.cfg');
    const tool = await make('venv/bin/tool');
    expect(onPath(dirname(tool), places)).toEqual([dirname(tool), below('venv')]);
    expect(ofProgram(tool, places)).toEqual([below('venv')]);
  });

  it('a program of a package: the package; without one the file alone', async () => {
    await make('code/project/package.json', '{}');
    expect(ofProgram(await make('code/project/src/agent.mjs'), places)).toEqual([
      below('code/project'),
    ]);
    const script = await make('tools/agent.py');
    await make('tools/password');
    expect(ofProgram(script, places)).toEqual([script]);
  });

  it('a file that an argument names: that file, and no key', async () => {
    const script = await make('tools/agent.py');
    expect(ofArgument(script, places)).toEqual([script]);
    await make('.ssh/known_hosts');
    await make('data/secrets.json');
    await make('tools/.env');
    const hidden = [below('.ssh/known_hosts'), below('data/secrets.json'), below('tools/.env')];
    const linked = await link('tools/innocent', below('data/secrets.json'));
    for (const file of [...hidden, linked]) expect(ofArgument(file, places)).toEqual([]);
  });

  it.each([
    ['the HOME', 'package.json', 'agent.mjs'],
    ['DATA_DIR', 'switchyard/package.json', 'switchyard/agent.mjs'],
    ['a .env', 'secret/package.json', 'secret/agent.mjs'],
    ['the work of several companies', 'work/package.json', 'work/agent.mjs'],
  ])('never a folder with %s in it', async (_, packageFile, program) => {
    await make(packageFile, '{}');
    await make('secret/.env', 'KEY=1');
    const file = await make(program);
    places = closedPlaces({
      home,
      dataDir: below('switchyard/.data'),
      workspaceRoots: [below('work/{companyId}')],
    });
    expect(ofProgram(file, places)).toEqual([file]);
    expect(onPath(dirname(file), places)).toEqual([]);
    expect(places.isRefused(dirname(file))).toBe(true);
    expect(places.isRefused(file)).toBe(false);
  });

  it('nothing of the checkout and of DATA_DIR', async () => {
    const checkout = resolve(__dirname, '../../../../..');
    expect(onPath(join(checkout, 'node_modules/.bin'), places)).toEqual([]);
    expect(places.isRefused(join(checkout, 'docs'))).toBe(true);
    expect(ofProgram(await make('data/tool'), places)).toEqual([]);
    expect(places.isRefused(below('data/secrets.json'))).toBe(true);
  });

  it('nothing for what is missing, a folder, or of the system', () => {
    expect(ofProgram(below('missing'), places)).toEqual([]);
    expect(ofProgram(home, places)).toEqual([]);
    expect(ofProgram('/usr/bin/env', places)).toEqual([]);
    expect(onPath('/usr/bin', places)).toEqual([]);
    expect(onPath(below('missing'), places)).toEqual([]);
  });
});
