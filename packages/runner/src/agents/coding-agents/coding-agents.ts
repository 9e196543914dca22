import type { AgentAdapter } from '../agent-adapter';
import { type CodingAgentOptions, createCodingAgentAdapter } from './coding-agent-adapter';
import { CODING_TOOLS } from './coding-tools';

export function createCodingAgents(options: CodingAgentOptions): AgentAdapter[] {
  return CODING_TOOLS.map((tool) => createCodingAgentAdapter(tool, options)) as AgentAdapter[];
}
