import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '@switchyard/sandbox';
import { CONFINEMENTS } from '../../../test/confinements';
import { readRunnerSettings } from '../../runner-settings';
import { openHome } from './agent-home';
import { agentHomeSettings } from './agent-home-settings';

describe('openHome()', () => {
  let root: string;
  let operator: string;
  let homes: string;
  let sandbox: Sandbox;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'switchyard-home-')));
    operator = join(root, 'operator');
    homes = join(root, 'homes');
    sandbox = { driver: 'bwrap' } as Sandbox;
    mkdirSync(join(operator, '.codex'), { recursive: true });
    mkdirSync(join(operator, 'dotfiles'));
    writeFileSync(join(operator, '.codex', 'auth.json'), 'signed in');
    writeFileSync(join(operator, 'dotfiles', 'gitconfig'), '[user]\n');
    symlinkSync(join(operator, 'dotfiles', 'gitconfig'), join(operator, '.gitconfig'));
    writeFileSync(join(operator, '.netrc'), 'private');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const owner = () => ({ companyId: randomUUID(), agentId: randomUUID() });
  const surroundings = () => ({
    inherited: { HOME: operator },
    homes,
    shared: agentHomeSettings({ AGENT_HOME_FOLDERS: undefined }, false),
    confinements: { ...CONFINEMENTS, sandbox: async () => sandbox },
  });

  it('links the operator’s sign-ins, and shares only the linked files', async () => {
    const agent = owner();
    const { home, own } = await openHome(surroundings(), agent, 'model_b_local');
    expect(home).toBe(join(homes, agent.companyId, agent.agentId));
    expect(readFileSync(join(home as string, '.codex', 'auth.json'), 'utf8')).toBe('signed in');
    expect(readlinkSync(join(home as string, '.gitconfig'))).toBe(
      join(operator, 'dotfiles', 'gitconfig'),
    );
    expect(own).toEqual({
      home,
      readOnly: [join(operator, 'dotfiles', 'gitconfig')],
      readWrite: [home, join(operator, '.codex', 'auth.json')],
    });
    expect(readdirSync(home as string).sort()).toEqual(['.codex', '.gitconfig']);
  });

  it.each([
    ['process', ['.gitconfig']],
    ['model_a_local', ['.claude', '.gitconfig']],
  ])('links only the sign-in of the adapter’s own tool: %s', async (adapterType, found) => {
    mkdirSync(join(operator, '.claude'));
    writeFileSync(join(operator, '.claude', '.credentials.json'), 'signed in');
    const { home, own } = await openHome(surroundings(), owner(), adapterType);
    expect(readdirSync(home as string).sort()).toEqual(found);
    expect(own.readWrite.join()).not.toContain('.codex');
  });

  it('does not replace a file that the agent put in place of a link', async () => {
    const agent = owner();
    const { home } = await openHome(surroundings(), agent, 'model_b_local');
    const file = join(home as string, '.codex', 'auth.json');
    rmSync(file);
    writeFileSync(file, 'its own');
    await openHome(surroundings(), agent, 'model_b_local');
    expect(readFileSync(file, 'utf8')).toBe('its own');
  });

  it('does not follow links that the agent created', async () => {
    const agent = owner();
    const { home } = await openHome(surroundings(), agent, 'model_b_local');
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    rmSync(join(home as string, '.codex'), { recursive: true });
    symlinkSync(elsewhere, join(home as string, '.codex'));
    await openHome(surroundings(), agent, 'model_b_local');
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(lstatSync(join(home as string, '.codex')).isSymbolicLink()).toBe(true);
  });

  it('returns the operator’s HOME if the sandbox or the folder for homes is missing', async () => {
    const operators = {
      inherited: { HOME: operator },
      home: null,
      own: { home: null, readOnly: [], readWrite: [] },
    };
    expect(await openHome({ ...surroundings(), homes: null }, owner(), 'model_b_local')).toEqual(
      operators,
    );
    sandbox = { ...sandbox, driver: 'off' };
    expect(await openHome(surroundings(), owner(), 'model_b_local')).toEqual(operators);
    expect(
      (await openHome({ ...surroundings(), shared: null }, owner(), 'model_b_local')).home,
    ).not.toBeNull();
  });
});

describe('AGENT_HOME_FOLDERS', () => {
  const read = (more: Record<string, string>) =>
    readRunnerSettings({ RUNNER_URL: 'http://worker:3101', RUNNER_TOKEN: 'x', ...more })
      .agentHomeFolders;

  it('lists shared paths, which the suffix :ro makes read-only', () => {
    expect(read({ AGENT_HOME_FOLDERS: '.gitconfig:ro, .codex' })).toEqual([
      { path: '.gitconfig', isReadOnly: true, adapterType: null },
      { path: '.codex', isReadOnly: false, adapterType: null },
    ]);
    expect(read({}).map(({ path }) => path)).toContain('.codex/auth.json');
  });

  it.each(['/root', '../other', '.codex/../..', '.', 'a//b', ':ro'])('rejects %s', (entry) => {
    expect(() => read({ AGENT_HOME_FOLDERS: entry })).toThrow(/AGENT_HOME_FOLDERS.*below HOME/);
  });

  it('shares nothing by default in authenticated mode, and is rejected there if it is set', () => {
    const authenticated = { AUTH_MODE: 'authenticated' };
    expect(read(authenticated)).toEqual([]);
    expect(() => read({ ...authenticated, AGENT_HOME_FOLDERS: '.codex' })).toThrow(
      /AGENT_HOME_FOLDERS.*local trusted mode/,
    );
  });
});
