import { access, constants, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '@switchyard/types';
import type { AdapterLook, AgentAdapter } from '../../adapters/agents/agent-adapter';
import { inFreshFolder } from '../../adapters/fresh-folder';
import { createTextMask, type TextMask } from '../../adapters/output-masking';
import { mayEnter } from '../../adapters/repositories/allowed-folder';
import { probeGit } from '../../adapters/repositories/git/probe-git';
import type { Context } from '../../context';
import { openDiagnosis } from './open-diagnosis';

type Parts = Pick<Context, 'config' | 'db' | 'adapters' | 'secretBox'>;

const ok = (code: string, message: string, details?: Record<string, unknown>): Finding => ({
  level: 'ok',
  code,
  message,
  ...(details && { details }),
});
const error = (code: string, message: string, details?: Record<string, unknown>): Finding => ({
  ...ok(code, message, details),
  level: 'error',
});

/** The folder that the agent would be started in without a workspace of its own. */
async function lookAtFolder(
  { config }: Parts,
  companyId: string,
  cwd: string | undefined,
): Promise<{ findings: Finding[]; path: string | null }> {
  if (cwd === undefined) {
    try {
      await inFreshFolder(join(config.dataDir, 'runs'), async () => undefined);
      const text = 'the agent gets a folder of the run, where its project has no workspace';
      return { findings: [ok('cwd_of_run', text)], path: null };
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
      const text = `the worker cannot make folders for runs (${code})`;
      return { findings: [error('cwd_not_writable', text)], path: null };
    }
  }
  if (!(await mayEnter(config.repositories.workspaceRoots, companyId, cwd))) {
    return {
      findings: [
        error('cwd_not_allowed', 'cwd lies outside WORKSPACE_ROOTS of the company', { cwd }),
      ],
      path: null,
    };
  }
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const canEnter = await access(cwd, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isFolder || !canEnter) {
    const text = 'cwd is no directory that the worker may enter';
    return { findings: [error('cwd_not_found', text, { cwd })], path: null };
  }
  const canWrite = await access(cwd, constants.W_OK).then(
    () => true,
    () => false,
  );
  const found = canWrite
    ? ok('cwd_usable', 'cwd can be entered and written to', { cwd })
    : { ...ok('cwd_read_only', 'cwd cannot be written to', { cwd }), level: 'warning' as const };
  return { findings: [found], path: cwd };
}

/** The adapter's own look at what it would start or call. */
async function lookThroughAdapter(
  parts: Parts,
  adapter: AgentAdapter,
  seen: Omit<AdapterLook<unknown>, 'workingDirectory'>,
  cwd: string | null,
): Promise<Finding[]> {
  const { check } = adapter;
  if (!check) return [];
  const look = (workingDirectory: string) => check({ ...seen, workingDirectory });
  try {
    if (cwd !== null) return await look(cwd);
    return await inFreshFolder(join(parts.config.dataDir, 'discovery'), look);
  } catch {
    return [error('check_failed', 'the look at the program or address failed')];
  }
}

function masked(mask: TextMask, finding: Finding): Finding {
  const details = finding.details && (JSON.parse(mask(JSON.stringify(finding.details))) as object);
  return {
    ...finding,
    message: mask(finding.message),
    ...(details && { details: { ...details } }),
  };
}

/**
 * What an agent would find if it ran here and now: configuration, secrets, working directory, program or
 * address, git. Nothing is written but a folder that is removed again, and no finding shows a secret.
 */
export async function diagnoseAgent(
  parts: Parts,
  agentId: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const host = hostname();
  const where = ok('checked_on', `looked at by a worker on ${host}`, { process: 'worker', host });
  const opened = await openDiagnosis(parts, agentId);
  if (!opened) return [];
  if ('problems' in opened) return [where, ...opened.problems];
  const { adapter, workspace, secrets, findings: ofSecrets, ...seen } = opened;
  const mask = createTextMask(secrets);
  const nowhere = { findings: [], path: null };
  const cwd = seen.config.cwd as string | undefined;
  const place = adapter.isRemote ? nowhere : await lookAtFolder(parts, seen.companyId, cwd);
  const [looked, git] = await Promise.all([
    lookThroughAdapter(parts, adapter, { ...seen, signal }, place.path),
    workspace && !adapter.isRemote ? probeGit(parts.config, signal) : [],
  ]);
  const findings = [...ofSecrets, ...place.findings, ...looked, ...git];
  return [where, ...findings.map((finding) => masked(mask, finding))];
}
