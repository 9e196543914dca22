import { commaSeparated } from '@switchyard/server/environment';
import { z } from 'zod';
import { VARIABLE_PATTERN } from './agent-variables';

/**
 * Credentials, recognised by the ends of their names. No runtime, linker or tool loads code from
 * variables with these ends, except from those in STEERING.
 */
const CREDENTIALS = ['*_API_KEY', '*_TOKEN', 'AGENT_*', 'CODEX_API_KEY', 'OPENCODE_API_KEY'];

/**
 * Provider URLs, which only coding agents may set, because the host of the URL receives any key
 * that the program sends. A `process` command could leak one of the operator's keys; a coding agent
 * adds no risk, because the person who sets its URL also controls its prompt.
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
