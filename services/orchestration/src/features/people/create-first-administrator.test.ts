import { Readable } from 'node:stream';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { administer } from './administer';

const PASSWORD = 'a password that the operator typed';

describe('create-first-administrator', () => {
  const harness = useAuthenticatedHarness();
  const create = (email: string, password = PASSWORD) =>
    administer(
      harness.context.db,
      ['create-first-administrator', email, '--stdin'],
      Readable.from([`${password}\n`]),
    );

  let companyId: string;
  beforeAll(async () => {
    companyId = (await harness.build.company()).id;
    await harness.db.membership.deleteMany();
    await harness.db.person.deleteMany();
  });

  it('rejects a weak password and an invalid address, and creates no account', async () => {
    await expect(create('ada@example.com', 'short')).rejects.toThrow('password');
    await expect(create('ada')).rejects.toThrow('email');
    expect(await harness.db.person.count()).toBe(0);
  });

  it('creates an administrator who can sign in, and does nothing if an account exists', async () => {
    expect(await create('Ada@example.com')).toBe('ada@example.com is now an administrator\n');
    expect(await create('bob@example.com')).toBe('an account exists; nothing was changed\n');
    const people = await harness.db.person.findMany({ include: { memberships: true } });
    expect(people).toMatchObject([
      {
        email: 'ada@example.com',
        isAdministrator: true,
        memberships: [{ companyId, role: 'owner' }],
      },
    ]);
    const answer = await harness.logIn({ id: '', email: 'ada@example.com' }, PASSWORD);
    expect(answer.status).toBe(200);
  });
});
