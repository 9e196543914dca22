import { hostname } from 'node:os';
import { join } from 'node:path';
import { SandboxUnavailable } from '@switchyard/sandbox';
import type { CheckAssignment, Finding } from '@switchyard/types';
import { inFreshFolder } from '../agent-folders/fresh-folder';
import type { AdapterExecution } from '../agents/agent-adapter';
import { collectFindings, error, maskFinding, ok } from '../agents/findings';
import { createTextMask } from '../masking/output-masking';
import type { Confinements } from '../sandbox/confinement';
import { checkNamedFolder } from './check-named-folder';
import type { Places } from './working-directory';

export interface CheckParts {
  places: Omit<Places, 'repositories'>;
  confinements: Pick<Confinements, 'sandbox'>;
  adapterOf(type: string): AdapterExecution | undefined;
  probeGit(signal: AbortSignal): Promise<Finding[]>;
}

/**
 * Checks the working directory, the program and git as a run uses them. Writes only a temporary
 * folder. Findings contain no secret.
 */
export async function checkAgent(
  parts: CheckParts,
  assignment: CheckAssignment,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { companyId, config, workspace, secrets } = assignment;
  const host = hostname();
  const where = ok('checked_on', `checked by a runner on ${host}`, { process: 'runner', host });
  const mask = createTextMask(secrets);
  const place = await checkFolder(parts.places, companyId, config.cwd as string | undefined);
  const [sandboxFindings, adapterFindings, git] = await Promise.all([
    checkSandbox(parts),
    checkAdapter(parts, assignment, place.path, signal),
    workspace ? parts.probeGit(signal) : [],
  ]);
  const findings = [...place.findings, ...sandboxFindings, ...adapterFindings, ...git];
  return [where, ...findings.map((finding) => maskFinding(mask, finding))];
}

async function checkFolder(
  places: CheckParts['places'],
  companyId: string,
  cwd: string | undefined,
): Promise<{ findings: Finding[]; path: string | null }> {
  if (cwd === undefined) {
    try {
      await inFreshFolder(join(places.dataDir, 'runs'), async () => undefined);
      const text =
        'the agent works in a folder of the run if the project of the issue has no workspace';
      return { findings: [ok('cwd_of_run', text)], path: null };
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
      const text = `the runner cannot create folders for runs (${code})`;
      return { findings: [error('cwd_not_writable', text)], path: null };
    }
  }
  return checkNamedFolder(places, companyId, cwd);
}

async function checkSandbox({ confinements }: CheckParts): Promise<Finding[]> {
  try {
    const { driver, why } = await confinements.sandbox();
    if (driver !== 'off') return [];
    const message = `the agent’s processes are not sandboxed: ${why}`;
    return [{ level: 'warning', code: 'sandbox_off', message }];
  } catch (cause) {
    if (!(cause instanceof SandboxUnavailable)) throw cause;
    return [error('sandbox_unavailable', cause.message)];
  }
}

async function checkAdapter(
  { places, adapterOf }: CheckParts,
  { companyId, agentId, adapterType, config, environment }: CheckAssignment,
  cwd: string | null,
  signal: AbortSignal,
): Promise<Finding[]> {
  const adapter = adapterOf(adapterType);
  if (!adapter?.check) return [];
  const { check } = adapter;
  const input = { companyId, agentId, config, environment, signingSecret: null, signal };
  const runCheck = (workingDirectory: string) => check({ ...input, workingDirectory });
  return collectFindings(() =>
    cwd === null ? inFreshFolder(join(places.dataDir, 'discovery'), runCheck) : runCheck(cwd),
  );
}
