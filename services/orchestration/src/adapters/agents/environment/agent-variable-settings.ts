import { commaSeparated } from '@switchyard/server/environment';
import { z } from 'zod';
import { VARIABLE_PATTERN } from './agent-variables';

/**
 * Credentials of services, by the words that their names end with, and what is an agent's own by its name. No
 * runtime, linker or tool takes code from a variable that ends so, but for the beginnings that no `*` stands for.
 */
const CREDENTIALS = ['*_API_KEY', '*_TOKEN', 'AGENT_*', 'CODEX_API_KEY', 'OPENCODE_API_KEY'];

/**
 * Where providers answer. Another address gets whatever key the program sends, so these are for the coding agents
 * alone: who configures one also writes its prompt, and the commands that it runs read every key that it has. A
 * listed command of a `process` agent may bring a key of the operator's that must not go elsewhere.
 */
const ADDRESSES = [
  ...['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'OPENROUTER_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
  ...['GEMINI_BASE_URL', 'MISTRAL_BASE_URL', 'GROQ_BASE_URL', 'DEEPSEEK_BASE_URL', 'XAI_BASE_URL'],
  ...['AZURE_OPENAI_BASE_URL', 'AZURE_OPENAI_ENDPOINT'],
];

/** What the operator lets agents set in authenticated mode. */
export const agentVariableEnvironment = {
  AGENT_VARIABLES: commaSeparated
    .refine(
      (patterns) => patterns.every((pattern) => VARIABLE_PATTERN.test(pattern)),
      'must list names of variables, each with at most one * and a letter beside it',
    )
    .optional()
    .describe(
      'variables that `env` of agents may set in authenticated mode, `*` for capitals, digits and `_`; without it `*_API_KEY`, `*_TOKEN`, `AGENT_*` and, for coding agents, `_BASE_URL` of the usual providers',
    ),
};

const schema = z.object(agentVariableEnvironment);

export interface AgentVariableSettings {
  /** For `process` agents. */
  commands: readonly string[];
  codingAgents: readonly string[];
}

/** In local trusted mode nothing of it is asked. */
export function agentVariableSettings({
  AGENT_VARIABLES: listed,
}: z.output<typeof schema>): AgentVariableSettings {
  return {
    commands: listed ?? CREDENTIALS,
    codingAgents: listed ?? [...CREDENTIALS, ...ADDRESSES],
  };
}
