import { randomBytes, randomUUID } from 'node:crypto';
import type { AdapterRun, ProcessIdentity } from '../../agents/agent-adapter';
import { childEnvironment, type Surroundings } from '../../agents/environment/child-environment';
import { runChild } from '../../agents/processes/run-child';
import { confined } from '../../agents/processes/spawn-child';
import { proxyUrl } from '../../network/proxy-secret';
import type { Confinements, ToolFolders } from '../../sandbox/confinement';
import { failure, failureFromGit, RepositoryFailure } from '../repository-failure';
import type { GitAccess } from './git-access';
import { type Destination, openOneHost } from './one-host';

export interface GitSurroundings extends Surroundings {
  caFile: string | null;
  /**
   * The ssh command for git. Without this command git cannot use ssh, so it never uses the runner's
   * keys by mistake.
   */
  sshCommand?: string;
  destination?: Destination | null;
  /** Settings, references and objects are read from this folder instead of the git directory. */
  commonDir?: string;
  access: GitAccess;
  signal: AbortSignal;
  deadline: number;
  onStarted: AdapterRun<unknown>['onStarted'];
  confinements: Confinements;
}

export type GitConfig = readonly (readonly [key: string, value: string])[];

const GRACE_MS = 2_000;
const MAX_STDOUT = 4 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/**
 * Overrides these settings in every file that git reads. Settings with user-defined names (filters,
 * drivers, remotes) cannot be overridden here; `withControls` keeps git from reading them.
 */
const SAFE_CONFIG: GitConfig = [
  ['protocol.allow', 'never'],
  ['protocol.https.allow', 'always'],
  ['protocol.ssh.allow', 'always'],
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '60'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['advice.detachedHead', 'false'],
];

function configVariables(config: GitConfig): Record<string, string> {
  const entries = config.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(config.length), ...Object.fromEntries(entries) };
}

function gitEnvironment(
  surroundings: GitSurroundings,
  id: string,
  { config, proxy }: { config: GitConfig; proxy: string },
) {
  const { caFile, commonDir, sshCommand } = surroundings;
  return childEnvironment(surroundings, {
    // Identifies processes that left the group. Differs from all ids of runs.
    SERVICE_RUN_ID: id,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    // Ignores replacement objects (`git replace`), and never fetches missing objects.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'https:ssh',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // This variable is always set, so that a repository's `core.sshCommand` has no effect.
    GIT_SSH_COMMAND: sshCommand ?? 'false',
    GIT_SSH_VARIANT: 'ssh',
    SSH_ASKPASS_REQUIRE: 'never',
    ...(caFile && { GIT_SSL_CAINFO: caFile }),
    ...(commonDir && { GIT_COMMON_DIR: commonDir }),
    ...(proxy !== '' && { HTTP_PROXY: proxy }),
    // Sends the password with the first request, because after a rejection git would have to
    // connect again.
    ...configVariables([
      ...SAFE_CONFIG,
      ['http.proxy', proxy],
      ['http.proxyAuthMethod', 'basic'],
      ...config,
    ]),
  }).environment;
}

function collect(limit: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    keep: (chunk: Buffer) => {
      if (size < limit) chunks.push(chunk.subarray(0, limit - size));
      size += chunk.length;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

export interface GitResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs git and leaves no process running. A non-zero exit code is a result, not a failure.
 * @throws RepositoryFailure `git_missing`, `repository_timeout`, or the abort of `signal`
 */
export function execGit(
  surroundings: GitSurroundings,
  folder: string,
  args: string[],
  config: GitConfig = [],
  input?: string,
): Promise<GitResult> {
  return runToEnd(surroundings, { command: 'git', args, folder, config, input });
}

export async function runGit(
  surroundings: GitSurroundings,
  what: string,
  folder: string,
  args: string[],
  config: GitConfig = [],
): Promise<string> {
  const { exitCode, stdout, stderr } = await execGit(surroundings, folder, args, config);
  if (exitCode !== 0) throw failureFromGit(what, stderr);
  return stdout;
}

/**
 * Runs a script on an agent's files with the same restrictions as git, because the files may be
 * links.
 */
export function execShell(
  surroundings: GitSurroundings,
  folder: string,
  script: string,
  args: string[],
  input?: string,
): Promise<GitResult> {
  const all = ['-c', script, 'sh', ...args];
  return runToEnd(surroundings, { command: 'sh', args: all, folder, config: [], input });
}

interface Program {
  command: string;
  args: string[];
  folder: string;
  config: GitConfig;
  input: string | undefined;
}

async function runToEnd(surroundings: GitSurroundings, program: Program): Promise<GitResult> {
  const { access, destination } = surroundings;
  if (!access.usesNetwork) return runWith(surroundings, program, { network: 'none', proxy: '' });
  if (!destination) return runWith(surroundings, program, { network: 'shared', proxy: '' });
  const sandbox = await surroundings.confinements.sandbox();
  const secret = sandbox.hasOwnNetwork ? null : randomBytes(24).toString('hex');
  const host = openOneHost(destination, secret);
  try {
    const network = await sandbox.openNetwork(host.accept);
    try {
      const proxy = proxyUrl(network.port, secret);
      return await runWith(surroundings, program, { network, proxy });
    } finally {
      await network.close();
    }
  } finally {
    host.close();
  }
}

async function runWith(
  surroundings: GitSurroundings,
  { command, args, folder, config, input }: Program,
  { network, proxy }: { network: ToolFolders['network']; proxy: string },
): Promise<GitResult> {
  const { signal, deadline, confinements, access } = surroundings;
  const id = randomUUID();
  const [stdout, stderr] = [collect(MAX_STDOUT), collect(MAX_STDERR)];
  const timeoutMs = Math.max(1, deadline - performance.now());
  const environment = gitEnvironment(surroundings, id, { config, proxy });
  const folders = { ...foldersOf(access, folder), network };
  const outcome = await runChild(
    {
      runId: id,
      signal,
      onStarted: (identity: ProcessIdentity) => surroundings.onStarted(identity),
      onStdout: stdout.keep,
      onStderr: stderr.keep,
    },
    confined((started) => confinements.forTool(started, folders), {
      command,
      args,
      cwd: folder,
      environment,
      input,
    }),
    { timeoutMs, graceMs: GRACE_MS },
  );
  if (outcome.status === 'timed_out') {
    throw failure(
      'repository_timeout',
      'the repository could not be prepared within the time limit',
      true,
    );
  }
  if (outcome.status === 'failed' && outcome.errorCode === 'command_not_found') {
    throw failure('git_missing', 'git is not installed on the runner’s host');
  }
  const isAnswer =
    outcome.status === 'succeeded' ||
    (outcome.status === 'failed' && outcome.errorCode === 'adapter_exit');
  if (!isAnswer) throw new RepositoryFailure(outcome);
  return { exitCode: outcome.exitCode ?? 0, stdout: stdout.text(), stderr: stderr.text() };
}

const foldersOf = (access: GitAccess, folder: string): ToolFolders => ({
  readOnly: [folder, ...access.readOnly],
  readWrite: access.readWrite,
});
