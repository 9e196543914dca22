import { ask, type PersonModel, statement, type Transaction } from '@switchyard/db';
import { personActor } from '../../kernel/actor';
import { addMember } from './members/add-member';

export async function isNobodyThere(tx: Transaction): Promise<boolean> {
  await ask(tx, lockFirstPerson, {});
  return (await tx.prisma.person.count()) === 0;
}

const lockFirstPerson = statement('lock-first-person', {
  takes: {},
  gives: {},
  sql: () => `SELECT FROM pg_advisory_xact_lock(hashtextextended('first person', 0))`,
});

type Account = Pick<PersonModel, 'id' | 'email' | 'name' | 'passwordHash'>;

export async function createFirstPerson(tx: Transaction, account: Account): Promise<PersonModel> {
  await tx.prisma.bootstrapToken.deleteMany();
  const person = await tx.prisma.person.create({ data: { ...account, isAdministrator: true } });
  const orphans = await tx.prisma.company.findMany({
    where: { memberships: { none: {} } },
    select: { id: true },
  });
  for (const { id } of orphans) {
    await addMember(tx, personActor(person.id), {
      companyId: id,
      userId: person.id,
      role: 'owner',
    });
  }
  return person;
}
