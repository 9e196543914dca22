import { parse } from '@switchyard/server';
import { createHireBody, id } from '@switchyard/types';
import { assertMayChooseAdapter } from '../../access/rules';
import type { Tx } from '../../kernel/call';
import { checkAdapterConfig } from '../agents/configuration/adapter-config';
import { unmaskConfig } from '../agents/configuration/mask-config';
import { writeConfiguration } from '../agents/configuration/write-configuration';
import { assertMayPropose } from './proposed-adapter';

const revision = createHireBody
  .omit({ issueIds: true })
  .partial()
  .extend({ agentId: id.optional() });

/**
 * The caller holds the draft's lock.
 * @throws ApiError 400 for unknown fields, 403 for fields that only the board may set, 409, 422
 */
export async function reviseDraft(
  tx: Tx,
  draftId: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const { agentId: _, proposedAdapter, ...wanted } = parse(revision, payload);
  assertMayChooseAdapter(tx, wanted);
  if (proposedAdapter) await assertMayPropose(tx, proposedAdapter);
  const draft = await tx.prisma.agent.findUniqueOrThrow({ where: { id: draftId } });
  if (draft.status !== 'pending_approval') return;
  const stored = draft.adapterConfig as Record<string, unknown>;
  const adapterConfig = wanted.adapterConfig && unmaskConfig(wanted.adapterConfig, stored);
  if (adapterConfig || wanted.adapterType) {
    checkAdapterConfig(tx, wanted.adapterType ?? draft.adapterType, adapterConfig ?? stored);
  }
  const fields = { ...wanted, ...(adapterConfig && { adapterConfig }) };
  await writeConfiguration(tx, draft, fields, { source: 'patch' });
}
