import { notFound, unauthenticated } from '@switchyard/server';
import type { SessionView } from '@switchyard/types';
import { type AgentActor, type BoardActor, LOCAL_BOARD } from '../../../kernel/actor';
import type { Call } from '../../../kernel/call';
import { presentMembership, presentUser } from '../present-person';

export async function getSession(call: Call<string | null>): Promise<SessionView> {
  const { actor, context } = call;
  const mode = context.config.authMode === 'authenticated' ? 'authenticated' : 'local';
  if (actor.type === 'agent') return { ...NOBODY, mode, ...(await agentSession(call, actor)) };
  if (actor.type !== 'board') throw unauthenticated('sign in first');
  if (actor === LOCAL_BOARD) return { ...NOBODY, mode, user: LOCAL_USER };
  return { ...NOBODY, mode, ...(await personSession(call, actor)) };
}

const NOBODY = {
  credential: 'none',
  user: null,
  agent: null,
  token: null,
  memberships: [],
} satisfies Partial<SessionView>;

const LOCAL_USER = {
  id: LOCAL_BOARD.userId,
  email: null,
  name: 'Local board',
  isAdministrator: true,
  hasPassword: false,
};

async function agentSession({ db, runId }: Call<string | null>, actor: AgentActor) {
  const { agentId: id, via } = actor;
  const agent = await db.prisma.agent.findUnique({
    where: { id },
    select: { name: true, role: true, companyId: true, company: { select: { name: true } } },
  });
  if (!agent) throw notFound('agent');
  const { company, ...rest } = agent;
  return { credential: via, agent: { id, ...rest, companyName: company.name, runId } };
}

/** A token only shows memberships that it covers, and never administrator rights. */
async function personSession(
  { db }: Call<string | null>,
  { userId, isAdministrator, token }: BoardActor,
) {
  const person = await db.prisma.person.findUnique({
    where: { id: userId },
    include: {
      memberships: {
        include: { company: { select: { name: true } } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      },
      personalTokens: { where: { id: { in: token ? [token.id] : [] } } },
    },
  });
  if (!person) throw unauthenticated('sign in first');
  const hasPassword = person.passwordHash !== null;
  const user = { ...presentUser(person), isAdministrator, hasPassword };
  const [used] = person.personalTokens;
  if (!used) {
    if (token) throw unauthenticated('the personal access token is not valid');
    const memberships = person.memberships.map(presentMembership);
    return { credential: 'session' as const, user, memberships };
  }
  const { id, name, companyId } = used;
  const scope = token?.scope ?? 'read';
  const expiresAt = used.expiresAt.toISOString();
  const reached = person.memberships.filter((one) => !companyId || one.companyId === companyId);
  return {
    credential: 'personal_token' as const,
    user,
    token: { id, name, scope, companyId, expiresAt },
    memberships: reached.map(presentMembership),
  };
}
