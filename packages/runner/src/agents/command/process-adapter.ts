import type { Finding } from '@switchyard/types';
import type { AdapterExecution, AdapterRun, CheckInput } from '../agent-adapter';
import { type ChildSurroundings, openHome } from '../environment/agent-home';
import { type ChildEnvironment, childEnvironment } from '../environment/child-environment';
import { createUsageReader } from '../output/usage-lines';
import { runChild } from '../processes/run-child';
import { type Confine, confined } from '../processes/spawn-child';
import { refuseCommand } from './allowed-commands';
import { argumentHint } from './argument-hint';
import { isBundled, programOf } from './bundled-agent';
import { findExecutable } from './find-executable';
import type { ProcessConfig } from './process-config';
import type { ProcessRules } from './process-definition';

interface Options extends ProcessRules {
  children: ChildSurroundings;
}

type PrepareInput = Pick<
  CheckInput<ProcessConfig>,
  'companyId' | 'agentId' | 'config' | 'environment' | 'readOnly'
> &
  Pick<AdapterRun<ProcessConfig>, 'ownVariables' | 'network'>;

interface Prepared {
  environment: ChildEnvironment;
  confine: Confine;
}

async function prepare(
  { allowedCommands, allowedVariables, children }: Options,
  input: PrepareInput,
): Promise<Prepared | { refusal: { errorCode: string; error: string } }> {
  const error = refuseCommand(allowedCommands, input.config);
  if (error !== null) return { refusal: { errorCode: 'command_not_allowed', error } };
  const variables = isBundled(input.config) ? ownVariables(input.environment) : input.environment;
  const agent = { variables, allowed: allowedVariables };
  const { own, ...surroundings } = await openHome(children, input, 'process');
  const { network } = input;
  const folders = { ...own, network, readOnly: [...own.readOnly, ...(input.readOnly ?? [])] };
  const confine: Confine = (command) => children.confinements.forAgent(command, folders);
  const built = childEnvironment(surroundings, input.ownVariables ?? {}, agent);
  return 'refusal' in built ? built : { ...built, confine };
}

/**
 * Passes only the service's variables. Agents may run bundled programs even if the operator forbids
 * commands, so an agent's variables, e.g. NODE_OPTIONS, must not change what such a program does.
 */
const ownVariables = (variables: PrepareInput['environment']) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('SERVICE_')));

export function createProcessAdapter(options: Options): AdapterExecution<ProcessConfig> {
  return {
    type: 'process',
    findProgram: () => findAllowed(options),
    async check(input) {
      const prepared = await prepare(options, input);
      if ('refusal' in prepared) {
        const { errorCode: code, error: message } = prepared.refusal;
        return [{ level: 'error', code, message }];
      }
      const { command } = programOf(input.config);
      return [await checkCommand(command, prepared.environment, input.workingDirectory)];
    },
    async run(run) {
      const { timeoutSec, graceSec, silenceSec } = run.config;
      const prepared = await prepare(options, run);
      if ('refusal' in prepared) {
        return { status: 'failed', exitCode: null, transient: false, ...prepared.refusal };
      }
      const { environment } = prepared;
      const usage = createUsageReader(run);
      const outcome = await runChild(
        {
          runId: run.runId,
          signal: run.signal,
          onStarted: (identity) => run.onStarted(identity),
          backlog: run.backlog,
          onStdout(chunk) {
            run.onOutput(chunk);
            usage.write(chunk);
          },
          onStderr: (chunk) => run.onOutput(chunk, 'stderr'),
        },
        confined(prepared.confine, {
          ...programOf(run.config),
          cwd: run.workingDirectory,
          environment,
        }),
        { timeoutMs: timeoutSec * 1000, graceMs: graceSec * 1000, silenceMs: silenceSec * 1000 },
      );
      usage.end();
      return outcome;
    },
  };
}

async function findAllowed({ allowedCommands, children }: Options) {
  if (allowedCommands === 'any') return { found: true, message: 'any command is allowed' };
  const { PATH } = children.inherited;
  const paths = allowedCommands.map((command) => findExecutable(command, PATH, '/'));
  const there = paths.filter((path) => path !== null).length;
  const message =
    paths.length === 0
      ? 'PROCESS_ADAPTER_COMMANDS allows no command'
      : `${there} of ${paths.length} commands of PROCESS_ADAPTER_COMMANDS exist`;
  return { found: there > 0, message };
}

/** Does not start the command, because a check must have no side effects. */
async function checkCommand(
  command: string,
  { PATH }: ChildEnvironment,
  workingDirectory: string,
): Promise<Finding> {
  const path = findExecutable(command, PATH, workingDirectory);
  if (path === null) {
    const message = `${command} was not found as an executable file on this host${argumentHint(command)}`;
    return { level: 'error', code: 'command_not_found', message, details: { command } };
  }
  const message = `${command} was found at ${path}; its version is not known, because it was not started`;
  return { level: 'ok', code: 'executable_found', message, details: { path } };
}
