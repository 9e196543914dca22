import type { AdapterExecution } from '../adapters/agents/agent-adapter';
import type { CodingAgentOptions } from '../adapters/agents/coding-agents/coding-agent-adapter';
import { CODING_PROGRAMS, findProgram } from '../adapters/agents/coding-agents/coding-programs';

/** The coding agents, loaded with the first run or check of one: zod, which reads what they say, is with them. */
export function openCodingAgents(options: CodingAgentOptions): AdapterExecution[] {
  let opened: Promise<AdapterExecution[]> | null = null;
  const open = async (type: string): Promise<Required<AdapterExecution>> => {
    opened ??= load(options);
    return (await opened).find((adapter) => adapter.type === type) as Required<AdapterExecution>;
  };
  return CODING_PROGRAMS.map((program) => ({
    type: program.adapterType,
    findProgram: async () =>
      findProgram(program, options.settings, options.children.inherited.PATH),
    run: async (run) => (await open(program.adapterType)).run(run),
    check: async (look) => (await open(program.adapterType)).check(look),
  }));
}

async function load(options: CodingAgentOptions): Promise<AdapterExecution[]> {
  const { createCodingAgents } = await import('../adapters/agents/coding-agents/coding-agents.js');
  return createCodingAgents(options);
}
