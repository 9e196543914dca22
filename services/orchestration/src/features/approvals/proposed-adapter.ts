import { check, forbidden, invalid, invalidField, unprocessable } from '@switchyard/server';
import { type ProposedAdapter, proposedAdapter } from '@switchyard/types';
import type { Tx } from '../../kernel/call';
import { UNSETTLED_ADAPTER } from '../../state/agents/configuration';
import { assertAllowedConfig, configurationProblems } from '../agents/configuration/adapter-config';
import { isSecretReference, unmaskConfig } from '../agents/configuration/mask-config';
import { assertSecretsExist } from '../agents/configuration/secret-references';
import { writeConfiguration } from '../agents/configuration/write-configuration';

type Config = Record<string, unknown>;

/**
 * Checks a proposal like a write. It may only reference secrets of the proposing agent: the board
 * sees only the names of variables, so it could grant another secret by mistake.
 * @throws ApiError 400 naming the field, 403 `board_only` for another secret, 422 for settings that
 * the operator forbids
 */
export async function assertMayPropose(tx: Tx, proposed: ProposedAdapter): Promise<void> {
  const { actor } = tx;
  if (actor.type !== 'agent') {
    const message = 'is only valid for agents: send adapterType and adapterConfig instead';
    throw invalidField('proposedAdapter', message);
  }
  const { adapterType, adapterConfig } = proposed;
  assertFits(tx, 'proposedAdapter', adapterType, unmaskConfig(adapterConfig, {}));
  const own = await tx.prisma.agent.findUniqueOrThrow({ where: { id: actor.agentId } });
  const given = new Set(secretsOf(own.adapterConfig as Config).map(({ secretId }) => secretId));
  for (const { name, secretId } of secretsOf(adapterConfig)) {
    if (given.has(secretId)) continue;
    const field = `proposedAdapter.adapterConfig.env.${name}`;
    const message = `${field} must name a secret that your own configuration contains; only the board may add another`;
    throw forbidden('board_only', message, { field });
  }
  await assertSecretsExist(tx, adapterConfig);
}

function assertFits(tx: Tx, within: string, type: string, config: Config): void {
  const problems = configurationProblems(tx.context.adapters, type, config);
  const placed = problems.map((problem) => ({ ...problem, path: [within, ...problem.path] }));
  if (placed.length > 0) throw invalid(placed);
  assertAllowedConfig(tx, type, config);
}

function secretsOf({ env = {} }: Config): { name: string; secretId: string }[] {
  return Object.entries(env as Config)
    .filter(([, value]) => isSecretReference(value))
    .map(([name, value]) => ({
      name,
      secretId: String((value as { secretId?: unknown }).secretId).toLowerCase(),
    }));
}

/**
 * Uses the board's adapter, or the proposed one if the board has not set one. The caller holds the
 * draft's lock.
 * @throws ApiError 400, 422 for an adapter that is no longer valid
 */
export async function settleAdapter(
  tx: Tx,
  draftId: string,
  payload: Config,
  chosen: ProposedAdapter | null | undefined,
): Promise<void> {
  const wanted = chosen === undefined ? proposalOf(payload) : chosen;
  if (!wanted) return;
  const draft = await tx.prisma.agent.findUniqueOrThrow({ where: { id: draftId } });
  const stored = draft.adapterConfig as Config;
  const { adapterType } = wanted;
  if (chosen === undefined) {
    const isSettled = draft.adapterType !== UNSETTLED_ADAPTER || Object.keys(stored).length > 0;
    if (isSettled) return;
    refuseOutdated(tx, wanted);
  }
  const adapterConfig = unmaskConfig(wanted.adapterConfig, stored);
  assertFits(tx, 'adapter', adapterType, adapterConfig);
  const fields = { adapterType, adapterConfig };
  const changed = await writeConfiguration(tx, draft, fields, { source: 'patch' });
  if (changed.length > 0) await tx.record('agent.updated', draftId, { changed });
}

function proposalOf(payload: Config): ProposedAdapter | null {
  const checked = check(proposedAdapter, payload.proposedAdapter);
  return 'data' in checked ? checked.data : null;
}

function refuseOutdated(tx: Tx, { adapterType, adapterConfig }: ProposedAdapter): void {
  const problems = configurationProblems(tx.context.adapters, adapterType, adapterConfig);
  if (problems.length === 0) return;
  throw unprocessable('semantic_error', 'the proposed adapter is no longer valid', problems);
}
