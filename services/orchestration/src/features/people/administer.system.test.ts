import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PASSWORD, SIGN_IN, useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { everything } from '../../../test/everything';
import { administer } from './administer';

const NEW = 'a password that the operator typed';

describe('the admin command', () => {
  const harness = useAuthenticatedHarness();
  const run = (words: string[], input = '') =>
    administer(harness.context.db, words, Readable.from([input]));

  it('reset-password generates a password, prints it only once, and ends all sessions', async () => {
    const company = await harness.build.company();
    const someone = await harness.operator(company.id, 'viewer');
    await harness.logIn(someone);
    const said = await run(['reset-password', someone.email.toUpperCase()]);
    const password = /shown this once: (\S+)\n$/.exec(said)?.[1] as string;
    expect(said).toContain(`${someone.email} has a new password; sessions ended: 2`);
    expect(password).toMatch(/^[0-9a-f]{6}(-[0-9a-f]{6}){3}$/);
    await harness.as(someone).get('/api/auth/session').expect(401);
    expect((await harness.logIn(someone)).status).toBe(401);
    expect((await harness.logIn(someone, password)).body.code).toBe('password_change_required');
    const { body } = await harness.founding
      .get(`/api/companies/${company.id}/activity?action=person.password_reset`)
      .expect(200);
    expect(body).toMatchObject([
      { actorType: 'system', entityId: someone.id, details: { endedSessions: 2 } },
    ]);
    expect(JSON.stringify(body)).not.toContain(password);
    const [first, second] = [said, await run(['reset-password', someone.email])];
    expect(second).not.toBe(first);
  });

  it('reset-password --stdin reads the password, and also works while the person is throttled', async () => {
    const someone = await harness.person();
    for (let at = 0; at < SIGN_IN.throttle.perAccount + 1; at++) {
      await harness.logIn(someone, `wrong guess ${at}`);
    }
    expect((await harness.logIn(someone)).status).toBe(429);
    const said = await run(['reset-password', someone.email, '--stdin'], `${NEW}\nrest`);
    expect(said).toContain(`${someone.email} has a new password; sessions ended: 0\n`);
    expect((await harness.logIn(someone, NEW)).status).toBe(403);
    expect((await harness.logIn(someone)).status).toBe(401);
  });

  it('make-administrator and remove-administrator change the right, but the last administrator is never removed', async () => {
    const company = await harness.build.company();
    const someone = await harness.operator(company.id, 'viewer');
    const is = async () =>
      (await harness.as(someone).get('/api/auth/session')).body.user.isAdministrator as boolean;
    expect(await run(['make-administrator', someone.email])).toContain('is now an administrator\n');
    expect(await is()).toBe(true);
    expect(await run(['make-administrator', someone.email])).toContain('already');
    expect(await run(['list-people'])).toContain(`${someone.email}  `);
    const administrators = await harness.db.person.findMany({ where: { isAdministrator: true } });
    const removals = administrators.map(({ email }) => run(['remove-administrator', email]));
    const ended = await Promise.allSettled(removals);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await harness.db.person.count({ where: { isAdministrator: true } })).toBe(1);
    const { body } = await harness.founding
      .get(`/api/companies/${company.id}/activity?entityId=${someone.id}`)
      .expect(200);
    const actions = body.map(({ action }: { action: string }) => action);
    expect(actions).toContain('person.administrator_added');
    await harness.db.person.update({
      where: { id: harness.founder.id },
      data: { isAdministrator: true },
    });
  });

  it('list-people prints each person on one line, without control characters', async () => {
    const someone = await harness.person();
    const name = 'Eve\u001b[2K\r2020-01-01  admin@example.com\n\u202eEve\u2028\u009b1mEve';
    await harness.db.person.update({ where: { id: someone.id }, data: { name } });
    const said = await run(['list-people']);
    const [line] = said.split('\n').filter((each) => each.includes(someone.email));
    expect(line).toContain('  Eve [2K 2020-01-01  admin@example.com  Eve  1mEve');
    expect(said.trimEnd().split('\n')).toHaveLength(await harness.db.person.count());
    expect(said).not.toMatch(/[^\P{C}\n]/u);
  });

  it('rejects invalid arguments and changes nothing', async () => {
    const { email } = await harness.person();
    const before = await everything(harness);
    for (const words of [
      [],
      ['help'],
      ['reset-password'],
      ['reset-password', email, '--force'],
      ['reset-password', email, '--stdin', 'x'],
      ['make-administrator', email, 'x'],
      ['list-people', 'x'],
    ]) {
      await expect(run(words)).rejects.toThrow(/^usage:/);
    }
    await expect(run(['reset-password', 'nobody@example.com'])).rejects.toThrow(
      'no account has the e-mail address',
    );
    await expect(run(['reset-password', 'nobody'])).rejects.toThrow('must be an e-mail address');
    await expect(run(['reset-password', email, '--stdin'], 'short')).rejects.toThrow(
      /^password: .*12/,
    );
    await expect(run(['reset-password', email, '--stdin'], '')).rejects.toThrow('12');
    expect(await everything(harness)).toEqual(before);
  });

  it('prints its result or error as text, and sets the exit code', async () => {
    const bin = join(__dirname, '../../..', 'dist', 'bin', 'admin.js');
    const start = async (words: string[], environment: Record<string, string>) => {
      const env = { PATH: process.env.PATH, ...environment };
      const child = spawn(process.execPath, [bin, ...words], { env });
      child.stdin.end(`${NEW}\n`);
      const code = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { code: await code, out, error };
    };
    const someone = await harness.person();
    const there = { DATABASE_URL: harness.config.databaseUrl };
    expect(await start(['reset-password', someone.email, '--stdin'], there)).toEqual({
      code: 0,
      out: `${someone.email} has a new password; sessions ended: 0\nthe person must change it at the next sign-in, within 72 hours\n`,
      error: '',
    });
    expect((await harness.logIn(someone, NEW)).status).toBe(403);
    expect((await harness.logIn(someone, PASSWORD)).status).toBe(401);
    expect(await start(['reset-password', 'x@example.com'], there)).toEqual({
      code: 1,
      out: '',
      error: 'no account has the e-mail address x@example.com\n',
    });
    expect(await start(['list-people'], {})).toMatchObject({
      code: 1,
      error: expect.stringContaining('DATABASE_URL: is missing'),
    });
  });
});
