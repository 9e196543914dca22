import {
  type AgentEnvironment,
  bytesOf,
  credentialsOf,
  literalsOf,
  MAX_ENVIRONMENT_BYTES,
  referencesOf,
  type SecretReference,
} from '@switchyard/runner/agents/environment/agent-environment';
import { signRunToken } from '../../../access/run-token';
import type { Context } from '../../../kernel/context';
import { budgetWarning } from '../../../state/budgets/budget-warning';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { traceVariables } from '../../../state/runs/run-trace';
import { resolveSecrets } from '../../secrets/resolve-secrets';
import { cannotStart } from './cannot-start';
import { runVariables } from './run-variables';

export interface RunEnvironment {
  variables: Record<string, string>;
  signingSecret: string | null;
  secrets: string[];
}

type Starting = Pick<
  ClaimedRun,
  | 'id'
  | 'agentId'
  | 'companyId'
  | 'epoch'
  | 'source'
  | 'issueId'
  | 'projectId'
  | 'wakeReasons'
  | 'wakeIssues'
  | 'adapterType'
  | 'hasBudget'
  | 'traceContext'
>;

export async function runEnvironment(
  context: Pick<Context, 'config' | 'db' | 'secretBox'>,
  run: Starting,
  adapterConfig: Record<string, unknown>,
): Promise<RunEnvironment> {
  const { config, db } = context;
  const { own, credentials } = await ownVariables(context, run.companyId, adapterConfig);
  const signingSecret = await ownSigningSecret(context, run.companyId, adapterConfig);
  const timeoutSec = Number(adapterConfig.timeoutSec ?? DEFAULT_TIMEOUT_SEC);
  const { id: runId, agentId, companyId, epoch } = run;
  const alert = run.hasBudget ? await budgetWarning(db, agentId) : null;
  const claims = { runId, agentId, companyId, epoch };
  const token = signRunToken(config.runTokenSecret, claims, timeoutSec + TOKEN_SLACK_SEC);
  return {
    variables: {
      ...traceVariables(run),
      ...own,
      SERVICE_API_URL: run.adapterType === 'http' ? config.publicUrl : config.agentApiUrl,
      SERVICE_API_KEY: token,
      ...runVariables(run, alert),
    },
    signingSecret,
    secrets: [
      token,
      ...credentials,
      ...headerSecrets(adapterConfig),
      ...(signingSecret === null ? [] : [signingSecret, signingSecret.replace(/^whsec_/, '')]),
    ],
  };
}

const TOKEN_SLACK_SEC = 600;
const DEFAULT_TIMEOUT_SEC = 3_600;

async function ownVariables(
  { secretBox, db }: Pick<Context, 'secretBox' | 'db'>,
  companyId: string,
  adapterConfig: Record<string, unknown>,
): Promise<{ own: Record<string, string>; credentials: string[] }> {
  const env = (adapterConfig.env ?? {}) as AgentEnvironment;
  const resolved = await resolveSecrets(secretBox, db, companyId, referencesOf(env));
  if ('unavailable' in resolved) throw cannotStart('secret_unavailable', resolved.unavailable);
  const literals = literalsOf(env);
  const own = { ...literals, ...resolved.values };
  const credentials = [...Object.values(resolved.values), ...credentialsOf(literals)];
  if (bytesOf(own) <= MAX_ENVIRONMENT_BYTES) return { own, credentials };
  const error = `the values of env must not exceed ${MAX_ENVIRONMENT_BYTES} bytes in total`;
  throw cannotStart('environment_too_large', error);
}

async function ownSigningSecret(
  { secretBox, db }: Pick<Context, 'secretBox' | 'db'>,
  companyId: string,
  { signingSecret }: Record<string, unknown>,
): Promise<string | null> {
  if (signingSecret === undefined) return null;
  const references = { signingSecret: signingSecret as SecretReference };
  const resolved = await resolveSecrets(secretBox, db, companyId, references, '');
  if ('unavailable' in resolved) throw cannotStart('secret_unavailable', resolved.unavailable);
  return resolved.values.signingSecret ?? null;
}

const PLAIN_HEADER = /^(accept(-.*)?|content-type|user-agent)$/i;

function headerSecrets(adapterConfig: Record<string, unknown>): string[] {
  const headers = Object.entries((adapterConfig.headers ?? {}) as Record<string, string>);
  return headers
    .filter(([name]) => !PLAIN_HEADER.test(name))
    .flatMap(([, value]) => [value, value.replace(/^[A-Za-z]+ +/, '')]);
}
