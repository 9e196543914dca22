import { unauthenticated } from '@switchyard/server';
import type { SessionView } from '@switchyard/types';
import { type Actor, LOCAL_BOARD } from '../../../access/actor';
import type { Call } from '../../../call';
import { presentMembership, presentUser } from '../present-person';

/** Who is signed in and where that person is a member; the local board is nowhere and may do everything. */
export async function getSession(call: Call<string | null>): Promise<SessionView> {
  if (call.actor === LOCAL_BOARD) return { user: LOCAL_USER, memberships: [] };
  const person = await getPerson(call, call.actor);
  const user = { ...presentUser(person), isAdministrator: person.isAdministrator };
  return { user, memberships: person.memberships.map(presentMembership) };
}

const LOCAL_USER = {
  id: LOCAL_BOARD.userId,
  email: null,
  name: 'Local board',
  isAdministrator: true,
};

async function getPerson({ db }: Call<string | null>, actor: Actor) {
  const id = actor.type === 'board' ? actor.userId : '';
  const person = await db.prisma.person.findUnique({
    where: { id },
    include: {
      memberships: {
        include: { company: { select: { name: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      },
    },
  });
  if (!person) throw unauthenticated('sign in first');
  return person;
}
