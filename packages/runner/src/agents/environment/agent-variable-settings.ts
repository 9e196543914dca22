import { commaSeparated } from '@switchyard/server/environment';
import { z } from 'zod';
import { VARIABLE_PATTERN } from './agent-variables';

/**
 * Credentials, recognised by their names. The few variables with such names from which a program
 * loads code are in STEERING (agent-variables.ts), which takes precedence.
 */
const CREDENTIALS = ['*_API_KEY', '*_TOKEN', 'AGENT_*', 'CODEX_API_KEY', 'OPENCODE_API_KEY'];

/**
 * Provider URLs. A program sends its key to the host of this URL, so a `process` command with its
 * own URL could reveal a key of the operator. Coding agents may set a URL, because the person who
 * sets it also controls the agent's prompt.
 */
const ADDRESSES = [
  ...['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'OPENROUTER_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
  ...['GEMINI_BASE_URL', 'MISTRAL_BASE_URL', 'GROQ_BASE_URL', 'DEEPSEEK_BASE_URL', 'XAI_BASE_URL'],
  ...['AZURE_OPENAI_BASE_URL', 'AZURE_OPENAI_ENDPOINT'],
];

export const agentVariableEnvironment = {
  AGENT_VARIABLES: commaSeparated
    .refine(
      (patterns) => patterns.every((pattern) => VARIABLE_PATTERN.test(pattern)),
      'must list variable names, each with at least one letter and at most one *',
    )
    .optional()
    .describe(
      'variables that `env` of agents may set in authenticated mode; default: `*_API_KEY`, `*_TOKEN`, `AGENT_*`, `_BASE_URL` of providers',
    ),
};

const schema = z.object(agentVariableEnvironment);

export interface AgentVariableSettings {
  commands: readonly string[];
  codingAgents: readonly string[];
}

export function agentVariableSettings({
  AGENT_VARIABLES: listed,
}: z.output<typeof schema>): AgentVariableSettings {
  return {
    commands: listed ?? CREDENTIALS,
    codingAgents: listed ?? [...CREDENTIALS, ...ADDRESSES],
  };
}
