import type { AdapterDefinition } from '../agent-adapter';
import { type CodingAgentRules, defineCodingAgent } from './coding-agent-definition';
import type { CodingTool } from './coding-tool';
import { CLAUDE_CODE } from './tools/claude-code';
import { CODEX } from './tools/codex';
import { OPENCODE } from './tools/opencode';

export const CODING_TOOLS: readonly CodingTool[] = [CLAUDE_CODE, CODEX, OPENCODE];

export function defineCodingAgents(rules: CodingAgentRules): AdapterDefinition[] {
  return CODING_TOOLS.map((tool) => defineCodingAgent(tool, rules)) as AdapterDefinition[];
}
