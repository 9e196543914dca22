import { z } from 'zod';
import type { AgentAdapter } from './agent-adapter';
import { agentEnvironment } from './agent-environment';
import { checkCommand } from './check-command';
import {
  buildChildEnvironment,
  type Environment,
  findCodeLoadingVariable,
} from './child-environment';
import { runChild } from './run-child';
import { createUsageReader } from './usage-lines';

const withoutNul = (text: string) => !text.includes('\0');

const ARGUMENT = z.string().max(32_768).refine(withoutNul, 'must not contain NUL');

/** Times in seconds (contract 11). */
const processConfig = z.strictObject({
  command: z.string().min(1).max(4096).refine(withoutNul, 'must not contain NUL'),
  args: z.array(ARGUMENT).max(256).default([]),
  cwd: z.string().min(1).max(4096).refine(withoutNul, 'must not contain NUL').optional(),
  env: agentEnvironment.optional(),
  timeoutSec: z.number().min(1).max(86_400).default(3600),
  graceSec: z.number().min(0).max(300).default(10),
  silenceSec: z.number().min(1).max(86_400).default(900),
});

export type ProcessConfig = z.infer<typeof processConfig>;

export interface ProcessAdapterOptions {
  /** `any` in local trusted mode, else PROCESS_ADAPTER_COMMANDS, compared exactly. */
  allowedCommands: string[] | 'any';
  /** The worker's environment, of which PATH, HOME and LANG are taken. */
  workerEnvironment: Environment;
}

/** Code of the refusal by the operator's list, or null; guarantees G23 and G24. */
function refuse(allowed: string[] | 'any', command: string, environment: Environment) {
  if (allowed === 'any') return null;
  if (!allowed.includes(command)) {
    return {
      errorCode: 'command_not_allowed',
      error: `${command} is not in PROCESS_ADAPTER_COMMANDS`,
    };
  }
  const variable = findCodeLoadingVariable(environment);
  if (variable === undefined) return null;
  return {
    errorCode: 'variable_not_allowed',
    error: `${variable} may not be set for listed commands`,
  };
}

/** Runs a command of the configuration as an agent (contract 11). */
export function createProcessAdapter(options: ProcessAdapterOptions): AgentAdapter<ProcessConfig> {
  return {
    type: 'process',
    configSchema: processConfig,
    async check(look) {
      const { command } = look.config;
      const refusal = refuse(options.allowedCommands, command, look.environment);
      if (refusal) return [{ level: 'error', code: refusal.errorCode, message: refusal.error }];
      return [await checkCommand(command, options.workerEnvironment, look)];
    },
    async run(run) {
      const { command, args, timeoutSec, graceSec, silenceSec } = run.config;
      const refusal = refuse(options.allowedCommands, command, run.environment);
      if (refusal) return { status: 'failed', exitCode: null, transient: false, ...refusal };

      const usage = createUsageReader((report) => run.onUsage(report));
      const outcome = await runChild(
        {
          runId: run.runId,
          signal: run.signal,
          onStarted: (identity) => run.onStarted(identity),
          onStdout(chunk) {
            run.onOutput(chunk);
            usage.write(chunk);
          },
          onStderr: (chunk) => run.onOutput(chunk),
        },
        {
          command,
          args,
          cwd: run.workingDirectory,
          environment: buildChildEnvironment(options.workerEnvironment, run.environment),
        },
        { timeoutMs: timeoutSec * 1000, graceMs: graceSec * 1000, silenceMs: silenceSec * 1000 },
      );
      usage.end();
      return outcome;
    },
  };
}
