import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '@switchyard/testing';
import { confinementsBy } from '../../test/confinements';
import { listLiving } from '../../test/living-processes';
import { createModelCatalog, type ModelCatalog } from './model-catalog';

describe('ModelCatalog', () => {
  let folder: string;
  const open: ModelCatalog[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-models-'));
  });
  afterEach(async () => {
    for (const catalog of open.splice(0)) await catalog.close();
    expect(listLiving(folder)).toEqual([]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function script(name: string, body: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
    return path;
  }

  function catalogOf(command: string) {
    const models = {
      claudeCode: { configured: [{ id: 'a-1', label: 'A one' }], command },
      codex: { configured: [{ id: 'b-1', label: 'B one' }], command },
      openCode: { command },
      prices: {},
    };
    const inherited = { PATH: process.env.PATH, HOME: folder };
    const children = { inherited, shared: [], confinements: confinementsBy('off') };
    const catalog = createModelCatalog({ dataDir: folder, models }, children);
    open.push(catalog);
    return catalog;
  }

  it('lists the configured models for model_a_local without starting a command', async () => {
    const catalog = catalogOf('/does/not/exist');
    expect(await catalog.list('model_a_local')).toEqual([{ id: 'a-1', label: 'A one' }]);
  });

  it.each(['process', 'nothing', 'constructor', '__proto__'])(
    'returns null for the type %s',
    async (type) => {
      expect(await catalogOf('/does/not/exist').list(type)).toBeNull();
    },
  );

  it('lists the models that the command of model_b_local prints, and prefers configured labels', async () => {
    const models = JSON.stringify({
      models: [
        { slug: 'b-1', display_name: 'Other name' },
        { slug: 'b-2', display_name: 'B two' },
      ],
    });
    const command = await script('codex', `[ "$*" = 'debug models' ] && echo '${models}'`);
    expect(await catalogOf(command).list('model_b_local')).toEqual([
      { id: 'b-1', label: 'B one' },
      { id: 'b-2', label: 'B two' },
    ]);
  });

  it('lists lines of the form provider/model for model_c_local, and does not pass the worker’s environment to the command', async () => {
    process.env.CANARY_OF_THE_WORKER = 'secret';
    const command = await script(
      'opencode',
      `env > ${folder}/environment; pwd > ${folder}/cwd; echo starting; echo warning >&2; echo acme/one; echo "acme/$1"`,
    );
    expect(await catalogOf(command).list('model_c_local')).toEqual([
      { id: 'acme/one', label: 'acme/one' },
      { id: 'acme/models', label: 'acme/models' },
    ]);
    delete process.env.CANARY_OF_THE_WORKER;
    const environment = await readFile(join(folder, 'environment'), 'utf8');
    const names = environment.split('\n').map((line) => line.split('=')[0]);
    expect(
      names.filter((name) => name && !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name)).sort(),
    ).toEqual(['HOME', 'PATH', 'SERVICE_RUN_ID']);
    expect(environment).toContain(`HOME=${folder}\n`);
    const cwd = (await readFile(join(folder, 'cwd'), 'utf8')).trim();
    expect(dirname(cwd)).toBe(join(folder, 'discovery'));
    expect(await readdir(dirname(cwd))).toEqual([]);
  });

  it('runs a command with spaces and special characters without a shell', async () => {
    const catalog = catalogOf(`echo acme/one; touch ${folder}/canary`);
    expect(await catalog.list('model_c_local')).toEqual([]);
    await expect(readFile(join(folder, 'canary'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['fails', 'echo acme/one; exit 3'],
    ['prints random bytes', 'head -c 4096 /dev/urandom; echo; echo "<html>"'],
    ['prints 100 MB', `yes acme/model | head -c 100000000`],
    ['prints nothing', 'true'],
    ['kills itself', 'kill -9 $$'],
  ])(
    'if the command %s, lists no models for model_c_local, and only configured models for model_b_local',
    async (what, body) => {
      const command = await script(what.replaceAll(' ', '-'), body);
      const catalog = catalogOf(command);
      expect(await catalog.list('model_c_local')).toEqual([]);
      expect(await catalog.list('model_b_local')).toEqual([{ id: 'b-1', label: 'B one' }]);
    },
  );

  it('ends a command that hangs, ignores TERM and has children, within its deadline', async () => {
    const command = await script(
      'stubborn',
      `trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & while :; do sleep 1; done`,
    );
    const started = performance.now();
    expect(await catalogOf(command).list('model_c_local')).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(4_900);
    expect(listLiving(folder)).toEqual([]);
  });

  it('shares one discovery between concurrent callers and caches its result', async () => {
    const command = await script('counted', `echo x >> ${folder}/calls; sleep 0.2; echo acme/one`);
    const catalog = catalogOf(command);
    const lists = await Promise.all(
      Array.from({ length: 50 }, () => catalog.list('model_c_local')),
    );
    await catalog.list('model_c_local');
    expect(new Set(lists.map((list) => JSON.stringify(list)))).toEqual(
      new Set(['[{"id":"acme/one","label":"acme/one"}]']),
    );
    expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('x\n');
  });

  it('ends a running discovery on close', async () => {
    const command = await script('slow', 'sleep 60');
    const catalog = catalogOf(command);
    const listing = catalog.list('model_c_local');
    await until('the command', () => listLiving(command).length > 0);
    await catalog.close();
    expect(await listing).toEqual([]);
  });
});
