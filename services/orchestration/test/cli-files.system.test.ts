import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useHarness } from './harness';

const PROGRAM = join(__dirname, '../../../packages/cli/dist/bin/switchyard.js');

describe('switchyard export and import', () => {
  const harness = useHarness();
  const home = mkdtempSync(join(tmpdir(), 'switchyard-files-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const cli = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = {
        PATH: process.env.PATH ?? '',
        XDG_CONFIG_HOME: home,
        SWITCHYARD_URL: harness.url,
      };
      execFile(process.execPath, [PROGRAM, ...args], { env }, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      });
    });

  it('replace an earlier export, refuse other folders, and plan and apply edited files', async () => {
    const { api, build } = harness;
    const company = await build.company();
    const goal = await build.goal({ companyId: company.id, title: 'Grow' });
    const folder = join(home, 'company');
    const exports = (...more: string[]) => cli('export', company.id, folder, ...more);
    expect(await exports()).toMatchObject({ code: 0, err: '' });
    for (const name of ['README.md', 'goals/our notes.md'])
      writeFileSync(join(folder, name), 'ours');
    await api.patch(`/api/goals/${goal.id}`).send({ title: 'Shrink' }).expect(200);
    expect((await exports('--issues')).out).toMatch(/^written +2\nremoved +1$/m);
    expect(existsSync(join(folder, 'goals/grow.md'))).toBe(false);
    for (const name of ['README.md', 'goals/our notes.md']) {
      expect(readFileSync(join(folder, name), 'utf8')).toBe('ours');
    }
    rmSync(join(folder, 'goals/our notes.md'));

    const goals = join(folder, 'goals/shrink.md');
    writeFileSync(goals, readFileSync(goals, 'utf8').replace('planned', 'active'));
    const imports = (...more: string[]) => cli('--company', company.id, 'import', folder, ...more);
    const { out: plan } = await imports('--plan');
    expect(plan).toContain('change  goals/shrink.md\n        status: "planned" -> "active"\n');
    expect(plan).toContain('planned: 0 new, 1 changed, 1 unchanged');
    expect((await imports()).out).toContain('imported: 0 new, 1 changed, 1 unchanged');
    expect((await api.get(`/api/goals/${goal.id}`)).body.status).toBe('active');

    writeFileSync(goals, '---\nid: x\n---\n');
    const refused = await imports();
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('goals/shrink.md');
    rmSync(goals);
    symlinkSync('/etc/hostname', goals);
    expect(await imports()).toMatchObject({ code: 2 });
    expect(await exports()).toMatchObject({ code: 2 });
    const other = join(home, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.txt'), 'ours');
    const foreign = await cli('export', company.id, other);
    expect(foreign).toMatchObject({ code: 2 });
    expect(foreign.err).toContain('must be empty or contain an earlier export');
  });
});
