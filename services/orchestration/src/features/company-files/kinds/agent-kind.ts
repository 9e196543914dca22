import { createAgentBody, updateAgentBody } from '@switchyard/types';
import { configurationOf } from '../../../state/agents/configuration';
import { UNEMPLOYED } from '../../../state/statuses/agent-status';
import { maskConfig } from '../../agents/configuration/mask-config';
import { createAgent } from '../../agents/create-agent';
import { pauseAgent } from '../../agents/pause-agent';
import { updateAgent } from '../../agents/update-agent';
import { SLUG } from '../slug-of';
import { defineKind, OLDEST_FIRST } from './kind';
import { showConfig, storableConfig } from './secret-names';

type Config = Record<string, unknown>;

export const agents = defineKind({
  folder: 'agents/',
  slug: SLUG,
  named: 'name',
  fields: {
    name: null,
    role: null,
    title: null,
    reportsTo: { to: 'agents', as: 'reportsTo' },
    budgetMonthlyCents: null,
    maxConcurrentRuns: null,
    wakeOnAssignment: null,
    limitKeys: null,
    adapterType: null,
    adapterConfig: null,
  },
  text: 'capabilities',
  creates: createAgentBody,
  updates: updateAgentBody,
  read: async ({ db, companyId, actor, secrets }, page) => {
    const rows = await db.prisma.agent.findMany({
      where: { companyId, status: { notIn: UNEMPLOYED } },
      orderBy: [...OLDEST_FIRST],
      ...page,
    });
    return rows.map((row) => {
      const shown = maskConfig(row.adapterConfig as Config, { actor, companyId, agentId: row.id });
      return { ...configurationOf(row), id: row.id, adapterConfig: showConfig(shown, secrets) };
    });
  },
  create: async (tx, body, place) => {
    const adapterConfig = storableConfig(body.adapterConfig ?? {}, {}, place);
    const { id } = await createAgent(tx, { ...body, adapterConfig });
    if (!place.activates) await pauseAgent(tx, id);
    return id;
  },
  update: async (tx, id, { adapterConfig, ...body }, place) => {
    if (!adapterConfig) return updateAgent(tx, id, body);
    const agent = await tx.prisma.agent.findUniqueOrThrow({ where: { id } });
    const stored = agent.adapterConfig as Config;
    const config = storableConfig(adapterConfig, stored, place);
    return updateAgent(tx, id, { ...body, adapterConfig: config });
  },
});
