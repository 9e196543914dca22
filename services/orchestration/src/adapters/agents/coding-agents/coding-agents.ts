import type { AgentAdapter } from '../agent-adapter';
import { type CodingAgentOptions, createCodingAgentAdapter } from './coding-agent-adapter';
import type { CodingTool } from './coding-tool';
import { CLAUDE_CODE } from './tools/claude-code';
import { CODEX } from './tools/codex';
import { OPENCODE } from './tools/opencode';

/** In the order of their types, model_a_local first. */
export const CODING_TOOLS: readonly CodingTool[] = [CLAUDE_CODE, CODEX, OPENCODE];

export function createCodingAgents(options: CodingAgentOptions): AgentAdapter[] {
  return CODING_TOOLS.map((tool) => createCodingAgentAdapter(tool, options)) as AgentAdapter[];
}
