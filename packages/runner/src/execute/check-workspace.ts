import { hostname } from 'node:os';
import type { CheckAssignment, Finding } from '@switchyard/types';
import type { AdapterOutcome } from '../agents/agent-adapter';
import { error, maskFinding, ok } from '../agents/findings';
import { createTextMask } from '../masking/output-masking';
import type { RepositoryCache } from '../repositories/repository-cache';
import { checkNamedFolder } from './check-named-folder';
import type { Places } from './working-directory';

export type TestedPlaces = Omit<Places, 'repositories'> & {
  repositories: Pick<RepositoryCache, 'check'>;
};

type Tested = NonNullable<CheckAssignment['testedWorkspace']>;

/**
 * Time limit in ms. It is shorter than the caller's wait, so that the result can name an
 * unresponsive host as the cause.
 */
const TIMEOUT_MS = 10_000;

/**
 * Checks the folder, or the repository with its credential. Clones nothing. Findings contain no
 * secret.
 */
export async function checkWorkspace(
  places: TestedPlaces,
  { companyId, secrets }: Pick<CheckAssignment, 'companyId' | 'secrets'>,
  tested: Tested,
  signal: AbortSignal,
): Promise<Finding[]> {
  const host = hostname();
  const details = { process: 'runner', host, tested: 'workspace' };
  const where = ok('checked_on', `tested by a runner on ${host}`, details);
  const mask = createTextMask(secrets);
  const findings = tested.cwd
    ? await checkFolder(places, companyId, { ...tested, cwd: tested.cwd })
    : await checkRepository(places, companyId, tested, signal);
  return [where, ...findings.map((finding) => maskFinding(mask, finding))];
}

async function checkFolder(
  places: TestedPlaces,
  companyId: string,
  { cwd, repoUrl }: Tested & { cwd: string },
): Promise<Finding[]> {
  const { findings } = await checkNamedFolder(places, companyId, cwd);
  const advised = findings.map(withAdvice);
  if (repoUrl === null) return advised;
  const message =
    'the workspace has a folder, so its repository is not cloned: remove the folder or the repository';
  return [...advised, { level: 'warning', code: 'repository_unused', message }];
}

async function checkRepository(
  { repositories }: TestedPlaces,
  companyId: string,
  { repoUrl, repoRef: ref, credential }: Tested,
  signal: AbortSignal,
): Promise<Finding[]> {
  const request = { companyId, url: repoUrl ?? '', ref, credential };
  const answer = await repositories.check(request, { signal, timeoutMs: TIMEOUT_MS });
  if ('refusal' in answer) return [withAdvice(refused(answer.refusal))];
  const { source, object } = answer.ref;
  const name = source.replace(/^refs\/(heads|tags)\//, '');
  const reached = credential === null ? 'without a credential' : 'with its credential';
  const opened = ok('repository_opened', `the repository opens ${reached}`);
  if (object === null) {
    const message = `the host does not list ${name}, so only a run can find out whether the commit exists`;
    return [opened, { level: 'warning', code: 'repository_ref_unlisted', message }];
  }
  const details = { ref: source, commit: object };
  return [opened, ok('repository_ref_found', `${name} is ${object.slice(0, 12)}`, details)];
}

function refused(outcome: AdapterOutcome): Finding {
  if ('errorCode' in outcome) return error(outcome.errorCode, outcome.error);
  return error('check_timeout', 'the test ended before the repository responded');
}

const ADVICE: Readonly<Record<string, string>> = {
  cwd_not_allowed: 'choose a folder below WORKSPACE_ROOTS that contains only work',
  cwd_not_found: "create the folder on the runner's host, for the runner's user",
  git_missing: 'install git on the runner',
  git_too_old: 'install a newer git on the runner',
  repository_address_invalid: 'correct the address',
  repository_address_refused:
    'use a public https or ssh address, or ask the operator to add the host to REPOSITORY_ALLOWED_HOSTS',
  repository_auth: 'choose a secret with a token or key that may read this repository',
  repository_credential: 'choose a token for an https address, a private key for an ssh address',
  repository_host_key: "ask the operator to compare the host's key with REPOSITORY_SSH_KNOWN_HOSTS",
  repository_host_unknown: 'correct the host in the address',
  repository_not_found: 'correct the address, or choose a credential that may read the repository',
  repository_redirected: 'use the address to which the host redirects',
  repository_ref_unknown: 'correct the branch, tag or commit',
  repository_timeout: 'check the firewall and the proxy between the runner and the host',
  repository_tls: 'ask the operator to add the certificate authority to REPOSITORY_CA_FILE',
  ssh_missing: 'install ssh on the runner',
  repository_unreachable: 'check that the host is running and that the runner can reach it',
};

function withAdvice(finding: Finding): Finding {
  const advice = finding.level === 'error' ? ADVICE[finding.code] : undefined;
  return advice ? { ...finding, message: `${finding.message}: ${advice}` } : finding;
}
