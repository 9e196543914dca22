import type { AdapterModel, Finding } from '@switchyard/types';
import type { CheckInput } from '../../agent-adapter';
import type { ChildEnvironment } from '../../environment/child-environment';
import { runChild } from '../../processes/run-child';
import { type Confine, confined } from '../../processes/spawn-child';
import type { CodingAgentConfig } from '../coding-agent-config';
import type { CodingTool } from '../coding-tool';

const LIMITS = { timeoutMs: 10_000, graceMs: 500 };
const MAX_CHARS = 4_096;
const VERSION = /\d+\.\d+(\.\d+)?[0-9A-Za-z.+-]*/;

interface Executable {
  command: string;
  runId: string;
  environment: ChildEnvironment;
  confine: Confine;
}

async function findExecutable(
  tool: CodingTool,
  { command, runId, environment, confine }: Executable,
  { workingDirectory, signal }: Pick<CheckInput<unknown>, 'workingDirectory' | 'signal'>,
): Promise<Finding> {
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(0, MAX_CHARS);
  };
  const outcome = await runChild(
    { runId, signal, onStarted: async () => {}, onStdout: collect, onStderr: () => {} },
    confined(confine, { command, args: ['--version'], cwd: workingDirectory, environment }),
    LIMITS,
  );
  const version = VERSION.exec(output)?.[0];
  if (outcome.status === 'succeeded' && version) {
    const message = `${tool.name} ${version} is installed`;
    return { level: 'ok', code: 'executable_found', message, details: { command, version } };
  }
  const isMissing = outcome.status === 'failed' && outcome.errorCode === 'command_not_found';
  const why = 'error' in outcome ? outcome.error : 'it printed no version';
  return {
    level: 'error',
    code: isMissing ? 'command_not_found' : 'executable_unusable',
    message: `${tool.name} cannot be used: ${why}; set ${tool.variable} to its path or command`,
    details: { command, variable: tool.variable },
  };
}

function findModel(model: string | undefined, listed: readonly AdapterModel[] | null): Finding {
  if (model === undefined) {
    return { level: 'ok', code: 'model_default', message: 'the tool chooses the model itself' };
  }
  const details = { model };
  if (!listed || listed.length === 0) {
    const message = 'no list of models is available, so the model could not be checked';
    return { level: 'warning', code: 'model_unchecked', message, details };
  }
  if (listed.some(({ id }) => id === model)) {
    return { level: 'ok', code: 'model_known', message: `the tool offers ${model}`, details };
  }
  const message = `the tool lists ${listed.length} models, but not ${model}`;
  return { level: 'warning', code: 'model_unknown', message, details };
}

export async function checkTool(
  tool: CodingTool,
  executable: Executable,
  input: CheckInput<CodingAgentConfig>,
  listModels: () => Promise<readonly AdapterModel[] | null>,
): Promise<Finding[]> {
  const found = await findExecutable(tool, executable, input);
  if (found.level !== 'ok') return [found];
  return [found, findModel(input.config.model, await listModels())];
}
