import type { Schemas } from '../../data/api';
import type { ListedAgent } from '../agents/agent-reason';

export type Agent = ListedAgent & Pick<Schemas['AgentDetail'], 'chainOfCommand'>;
