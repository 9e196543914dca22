import { access, constants, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isId } from '@switchyard/db';
import type { Finding } from '@switchyard/types';
import type { AdapterLook, KnownAdapter } from '../../adapters/agents/agent-adapter';
import {
  type AgentEnvironment,
  bytesOf,
  literalsOf,
  MAX_ENVIRONMENT_BYTES,
  referencesOf,
  type SecretReference,
} from '../../adapters/agents/environment/agent-environment';
import { inFreshFolder } from '../../adapters/fresh-folder';
import { createTextMask, type TextMask } from '../../adapters/output-masking';
import { mayEnter } from '../../adapters/repositories/allowed-folder';
import { probeGit } from '../../adapters/repositories/git/probe-git';
import type { Context } from '../../context';
import { adapterConfigProblems } from '../agents/configuration/adapter-config';
import { resolveSecrets } from '../secrets/resolve-secrets';

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
  adapter: KnownAdapter,
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
  const { db, adapters, secretBox } = parts;
  const agent = isId(agentId) && (await db.prisma.agent.findUnique({ where: { id: agentId } }));
  if (!agent) return [];
  const { adapterType, companyId } = agent;
  const host = hostname();
  const where = ok('checked_on', `looked at by a worker on ${host}`, { process: 'worker', host });
  const stored = agent.adapterConfig as Record<string, unknown>;
  const problems = adapterConfigProblems(adapters, adapterType, stored);
  const adapter = adapters.get(adapterType);
  if (problems.length > 0 || !adapter) {
    const said = problems.map(({ path, message }) =>
      error('config_invalid', `${path.join('.')}: ${message}`.slice(0, 500)),
    );
    return [where, ...said];
  }
  const config = adapter.configSchema.parse(stored) as Record<string, unknown>;
  const env = (config.env ?? {}) as AgentEnvironment;
  const resolved = await resolveSecrets(secretBox, db, companyId, referencesOf(env));
  const secrets = 'values' in resolved ? resolved.values : {};
  const signing = config.signingSecret as SecretReference | undefined;
  const signingReference: Record<string, SecretReference> = signing
    ? { signingSecret: signing }
    : {};
  const signed = await resolveSecrets(secretBox, db, companyId, signingReference, '');
  const signingSecret = ('values' in signed && signed.values.signingSecret) || null;
  const environment = { ...literalsOf(env), ...secrets };
  // As a run: the mask of so much would take the worker's memory from all companies.
  if (bytesOf(environment) > MAX_ENVIRONMENT_BYTES) {
    const text = `the values of env have more than ${MAX_ENVIRONMENT_BYTES} bytes together`;
    return [where, error('environment_too_large', text)];
  }
  const mask = createTextMask([
    ...Object.values(environment),
    ...(signingSecret ? [signingSecret] : []),
  ]);
  const environmentFinding = [resolved, signed].flatMap((each) =>
    'unavailable' in each ? [error('secret_unavailable', each.unavailable)] : [],
  );
  const nowhere = { findings: [], path: null };
  const cwd = config.cwd as string | undefined;
  const place = adapter.isRemote ? nowhere : await lookAtFolder(parts, companyId, cwd);
  const repositories = await db.prisma.workspace.count({
    where: { companyId, cwd: null, repoUrl: { not: null } },
  });
  const seen = { companyId, agentId, config, environment, signingSecret, signal };
  const [looked, git] = await Promise.all([
    lookThroughAdapter(parts, adapter, seen, place.path),
    repositories > 0 && !adapter.isRemote ? probeGit(parts.config, signal) : [],
  ]);
  const findings = [...environmentFinding, ...place.findings, ...looked, ...git];
  return [where, ...findings.map((finding) => masked(mask, finding))];
}
