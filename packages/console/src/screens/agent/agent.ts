import type { Schemas } from '../../data/api';
import type { ListedAgent } from '../agents/agent-reason';

/** What the list knows of an agent (state, reasons, runs) with what only the agent itself has. */
export type Agent = ListedAgent & Pick<Schemas['AgentDetail'], 'chainOfCommand'>;
