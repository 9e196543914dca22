import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mayEnter } from './allowed-folder';

describe('mayEnter()', () => {
  const [own, other, linked] = [randomUUID(), randomUUID(), randomUUID()];
  let base: string;
  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'switchyard-roots-')));
    for (const id of [own, other]) await mkdir(join(base, id, 'site'), { recursive: true });
    await symlink(join(base, other), join(base, own, 'out'));
    await symlink(join(base, own, 'site'), join(base, own, 'in'));
    await symlink(join(base, other), join(base, linked));
    await symlink(base, `${base}-link`);
  });
  afterAll(async () => {
    await rm(base, { recursive: true, force: true });
    await rm(`${base}-link`);
  });

  const enters = (root: string, companyId: string, ...path: string[]) =>
    mayEnter([root], companyId, join(...path));

  it('allows the company’s folder, even through a link within it', async () => {
    const root = join(base, '{companyId}');
    expect(await enters(root, own, base, own)).toBe(true);
    expect(await enters(root, own, base, own, 'site')).toBe(true);
    expect(await enters(root, own, base, own, 'in')).toBe(true);
    expect(await enters(root, other, base, other, 'site')).toBe(true);
  });

  it('rejects another company’s folder, by path and through a link', async () => {
    const root = join(base, '{companyId}');
    expect(await enters(root, own, base, other, 'site')).toBe(false);
    expect(await enters(root, own, base, own, 'out')).toBe(false);
    expect(await enters(root, own, base, own, 'out', 'site')).toBe(false);
    expect(await mayEnter([root], own, `${base}/${own}/out/../${other}/site`)).toBe(false);
  });

  it('rejects a link that replaces a company’s folder or a folder of the root below it', async () => {
    expect(await enters(join(base, '{companyId}'), linked, base, linked, 'site')).toBe(false);
    expect(await enters(join(base, '{companyId}', 'out'), own, base, own, 'out', 'site')).toBe(
      false,
    );
  });

  it('follows the operator’s links above the company’s folder', async () => {
    const root = join(`${base}-link`, '{companyId}');
    expect(await enters(root, own, `${base}-link`, own, 'site')).toBe(true);
    expect(await enters(root, own, `${base}-link`, own, 'out')).toBe(false);
    expect(await enters(`${base}-link`, own, `${base}-link`, other)).toBe(true);
  });

  it('allows a missing folder, because the process then fails at its start', async () => {
    expect(await enters(join(base, '{companyId}'), own, base, own, 'nowhere')).toBe(true);
  });
});
