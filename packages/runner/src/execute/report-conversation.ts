import { errorFields, type Logger } from '@switchyard/server/logger';
import type { AdapterRun, AgentSession, CountedUse, UsageReport } from '../agents/agent-adapter';
import type { TextMask } from '../masking/output-masking';
import { retryUntilAccepted } from '../protocol/retry-until-accepted';
import type { Claim, RunProtocol } from '../protocol/run-protocol';
import { storableName } from './storable';

export interface Conversation extends Pick<AdapterRun<unknown>, 'onUsage' | 'onSession'> {
  stored(): Promise<void>;
}

interface ConversationOptions {
  protocol: Pick<RunProtocol, 'reportUsage' | 'holdSession'>;
  logger: Logger;
  mask: TextMask;
  session: AgentSession | null;
  directory: string;
}

/**
 * Reports in order. Each use has a number, so that the server recognises repeated reports. Skips a
 * rejected use, so that later uses are accepted.
 */
export function reportConversation(
  { claim, isLost }: { claim: Claim; isLost: AbortSignal },
  { protocol, logger, mask, session, directory }: ConversationOptions,
): Conversation {
  let held = session?.id ?? null;
  let seq = 0;
  let sent: Promise<unknown> = Promise.resolve();

  const send = (what: () => Promise<void>) => {
    sent = sent
      .then(() => retryUntilAccepted(what, isLost))
      .catch((error: unknown) => {
        if (isLost.aborted) return;
        logger.error(
          'the usage or the conversation of a run could not be stored',
          errorFields(error),
        );
      });
  };
  const named = (text: string) => storableName(mask(text));

  const countedBy = ({ models, ...counted }: CountedUse): CountedUse => ({
    ...counted,
    ...(models && { models: models.map((count) => ({ ...count, model: named(count.model) })) }),
  });

  return {
    onUsage: ({ provider, model, counted, ...counts }: UsageReport) => {
      const names = { provider: named(provider), model: named(model) };
      const usage = { ...names, ...counts, ...(counted && { counted: countedBy(counted) }) };
      const sessionId = held;
      send(async () => {
        await protocol.reportUsage(claim, { seq: seq + 1, source: 'agent', usage, sessionId });
        seq += 1;
      });
    },
    onSession: (id) => {
      held = id;
      send(() => protocol.holdSession(claim, { id, directory }));
    },
    stored: async () => {
      await sent;
    },
  };
}
