import type { AdapterExecution } from '../adapters/agents/agent-adapter';
import type { CodingAgentOptions } from '../adapters/agents/coding-agents/coding-agent-adapter';
import { CODING_PROGRAMS, findProgram } from '../adapters/agents/coding-agents/coding-programs';

/**
 * The coding agents, loaded with the first run or check of one: zod, which reads what they say, is with them. By `require`, as
 * all that a run loads: `import` keeps a failure for good, such as that of a process with too many open files.
 */
export function openCodingAgents(options: CodingAgentOptions): AdapterExecution[] {
  let opened: AdapterExecution[] | null = null;
  const open = (type: string) => {
    opened ??= load(options);
    return opened.find((adapter) => adapter.type === type) as Required<AdapterExecution>;
  };
  return CODING_PROGRAMS.map((program) => ({
    type: program.adapterType,
    findProgram: async () =>
      findProgram(program, options.settings, options.children.inherited.PATH),
    run: async (run) => open(program.adapterType).run(run),
    check: async (look) => open(program.adapterType).check(look),
  }));
}

function load(options: CodingAgentOptions): AdapterExecution[] {
  const { createCodingAgents } =
    require('../adapters/agents/coding-agents/coding-agents') as typeof import('../adapters/agents/coding-agents/coding-agents');
  return createCodingAgents(options);
}
