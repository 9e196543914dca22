import { inTransaction, type OpenDatabase } from '@switchyard/db';
import { errorFields, type Logger } from '@switchyard/server';
import { hashToken, newToken } from '../../access/sign-in/tokens';
import { databaseTime } from '../../state/database-time';
import { isNobodyThere } from './first-person';

const RETRY_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Adds a token for the first person, stored as a hash. All tokens that replicas added within the
 * last 24 hours are valid. If the operator sets `chosen`, it is the only valid token.
 */
export async function offerBootstrap(
  db: OpenDatabase,
  chosen: string | null = null,
): Promise<string | null> {
  const made = newToken();
  return inTransaction(db, async (tx) => {
    if (!(await isNobodyThere(tx))) return null;
    if (chosen !== null) {
      await tx.prisma.bootstrapToken.deleteMany();
      await tx.prisma.bootstrapToken.create({ data: { tokenHash: hashToken(chosen) } });
      return chosen;
    }
    const yesterday = new Date((await databaseTime(tx)) - DAY_MS);
    await tx.prisma.bootstrapToken.deleteMany({ where: { createdAt: { lt: yesterday } } });
    await tx.prisma.bootstrapToken.create({ data: { tokenHash: made.hash } });
    return made.token;
  });
}

export function startOffer(
  db: OpenDatabase,
  logger: Logger,
  chosen: string | null = null,
): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const attempt = async (): Promise<void> => {
    try {
      const token = await offerBootstrap(db, chosen);
      if (token && chosen === null) logger.warn(`bootstrap token: ${token}`);
    } catch (error) {
      logger.debug('the bootstrap token cannot be created yet', errorFields(error));
      if (!closed) timer = setTimeout(begin, RETRY_MS);
    }
  };
  let running = attempt();
  const begin = () => {
    running = attempt();
  };
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
