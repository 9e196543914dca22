import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '@switchyard/async';
import type { AdapterModel } from '@switchyard/types';
import type { ModelSettings } from '../../models/model-settings';
import type { AdapterRun, AgentAdapter, CheckInput } from '../agent-adapter';
import { type ChildSurroundings, isSandboxed, openHome } from '../environment/agent-home';
import type { AllowedVariables } from '../environment/agent-variables';
import { childEnvironment } from '../environment/child-environment';
import type { Confine } from '../processes/spawn-child';
import type { CodingAgentConfig } from './coding-agent-config';
import { defineCodingAgent } from './coding-agent-definition';
import { findProgram } from './coding-programs';
import type { CodingTool, ToolCommands } from './coding-tool';
import { findMissingKey } from './find-missing-key';
import { pricer } from './pricer';
import { fillTemplate } from './prompt/fill-template';
import { SKILL_VERSION } from './prompt/skill';
import { checkTool } from './tools/check-tool';
import { runTool, SESSION_ID } from './tools/run-tool';

export interface CodingAgentOptions {
  settings: Pick<ModelSettings, 'prices'> & ToolCommands;
  allowedVariables: AllowedVariables;
  children: ChildSurroundings;
  providers?: readonly string[];
  listModels(adapterType: string): Promise<readonly AdapterModel[] | null>;
  clock?: Clock;
  resultGraceMs?: number;
}

type Run = AdapterRun<CodingAgentConfig>;

function resumable(run: Run) {
  const { session, workingDirectory } = run;
  if (!session || session.directory !== workingDirectory) return null;
  return SESSION_ID.test(session.id) ? session : null;
}

/**
 * Runs a coding agent's command line and resumes the agent's last conversation for the issue. If
 * the tool does not find that conversation, starts a new one, once.
 */
export function createCodingAgentAdapter(
  tool: CodingTool,
  options: CodingAgentOptions,
): AgentAdapter<CodingAgentConfig> {
  const { now } = options.clock ?? systemClock;
  const command = tool.command(options.settings);
  const { allowedVariables: allowed, children } = options;
  const hasOwnHome = children.homes !== null && !children.shared;
  const prepare = async (
    of: Pick<CheckInput<unknown>, 'companyId' | 'agentId' | 'environment' | 'readOnly'> &
      Pick<Run, 'ownVariables' | 'network'>,
  ) => {
    const { own, ...surroundings } = await openHome(children, of, tool.adapterType);
    const merged = { ...of.environment, ...tool.merge?.(of.environment) };
    const agent = { variables: merged, allowed };
    const built = childEnvironment(
      surroundings,
      { ...of.ownVariables, ...tool.environment(of.ownVariables ?? {}) },
      agent,
    );
    const { network } = of;
    const folders = { ...own, network, readOnly: [...own.readOnly, ...(of.readOnly ?? [])] };
    const confine: Confine = (started) => children.confinements.forAgent(started, folders);
    return 'refusal' in built ? built : { ...built, confine };
  };
  return {
    ...defineCodingAgent(tool, { allowedVariables: allowed, hasOwnHome }),
    async run(run) {
      const prepared = await prepare(run);
      if ('refusal' in prepared) {
        return { status: 'failed', exitCode: null, transient: false, ...prepared.refusal };
      }
      const { config, environment } = run;
      const prompt = fillTemplate(config.promptTemplate, { facts: await run.facts(), environment });
      const started = performance.now();
      const confinedByUs = await isSandboxed(children);
      const attempt = (session: Run['session'], timeoutMs: number) => {
        const mode = session
          ? `goes on with the conversation ${session.id}`
          : 'starts a new conversation';
        run.onOutput(Buffer.from(`[run] ${tool.name} ${mode}; prompt ${SKILL_VERSION}\n`));
        return runTool({
          run,
          tool,
          session,
          prompt,
          timeoutMs,
          command,
          environment: prepared.environment,
          isSandboxed: confinedByUs,
          confine: prepared.confine,
          dollars: pricer(options.settings),
          now,
          resultGraceMs: options.resultGraceMs,
        });
      };
      const timeoutMs = config.timeoutSec * 1_000;
      const session = resumable(run);
      const first = await attempt(session, timeoutMs);
      if (!session || !first.sessionUnknown) return first.outcome;
      const left = Math.max(1_000, timeoutMs - (performance.now() - started));
      return (await attempt(null, left)).outcome;
    },
    findProgram: async () => findProgram(tool, options.settings, children.inherited.PATH),
    async check(input) {
      const runId = randomUUID();
      const environment = { ...input.environment, SERVICE_RUN_ID: runId };
      const prepared = await prepare({ ...input, environment, network: 'none' });
      if ('refusal' in prepared) {
        const { errorCode: code, error: message } = prepared.refusal;
        return [{ level: 'error', code, message }];
      }
      const executable = { command, runId, ...prepared };
      const found = await checkTool(tool, executable, input, () =>
        options.listModels(tool.adapterType),
      );
      const isProvided = options.providers?.includes(tool.provider(input.config.model ?? ''));
      const missing = isProvided ? null : findMissingKey(tool, input.config, { hasOwnHome });
      const isUsable = found.every(({ level }) => level !== 'error');
      return missing && isUsable ? [...found, { level: 'warning', ...missing }] : found;
    },
  };
}
