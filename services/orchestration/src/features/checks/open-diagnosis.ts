import { ask, isId, jsonObject, statement } from '@switchyard/db';
import type { KnownAdapter } from '@switchyard/runner/agents/agent-adapter';
import {
  type AgentEnvironment,
  bytesOf,
  credentialsOf,
  literalsOf,
  MAX_ENVIRONMENT_BYTES,
  referencesOf,
  type SecretReference,
} from '@switchyard/runner/agents/environment/agent-environment';
import { error } from '@switchyard/runner/agents/findings';
import type { Finding } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import { adapterConfigProblems } from '../agents/configuration/adapter-config';
import { resolveSecrets } from '../secrets/resolve-secrets';

export interface Diagnosis {
  companyId: string;
  agentId: string;
  adapter: KnownAdapter;
  config: Record<string, unknown>;
  environment: Record<string, string>;
  signingSecret: string | null;
  secrets: string[];
  findings: Finding[];
  workspace: {
    projectId: string;
    cwd: string | null;
    repoUrl: string | null;
    repoRef: string | null;
  } | null;
}

export async function openDiagnosis(
  { db, adapters, secretBox }: Pick<Context, 'db' | 'adapters' | 'secretBox'>,
  agentId: string,
): Promise<Diagnosis | { problems: Finding[] } | null> {
  const [agent] = isId(agentId) ? await ask(db, readAgent, { agentId }) : [];
  if (!agent) return null;
  const { adapterType, companyId, workspace } = agent;
  const stored = agent.adapterConfig as Record<string, unknown>;
  const problems = adapterConfigProblems(adapters, adapterType, stored);
  const adapter = adapters.get(adapterType);
  if (problems.length > 0 || !adapter) {
    const said = problems.map(({ path, message }) =>
      error('config_invalid', `${path.join('.')}: ${message}`.slice(0, 500)),
    );
    return { problems: said };
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
  const literals = literalsOf(env);
  const environment = { ...literals, ...secrets };
  if (bytesOf(environment) > MAX_ENVIRONMENT_BYTES) {
    const text = `the values of env must not exceed ${MAX_ENVIRONMENT_BYTES} bytes in total`;
    return { problems: [error('environment_too_large', text)] };
  }
  return {
    companyId,
    agentId,
    adapter,
    config,
    environment,
    signingSecret,
    secrets: [
      ...Object.values(secrets),
      ...credentialsOf(literals),
      ...(signingSecret ? [signingSecret] : []),
    ],
    findings: [resolved, signed].flatMap((each) =>
      'unavailable' in each ? [error('secret_unavailable', each.unavailable)] : [],
    ),
    workspace,
  };
}

const WORKSPACE = { projectId: 'uuid', cwd: 'text?', repoUrl: 'text?', repoRef: 'text?' } as const;

const readAgent = statement('read-agent-to-look-at', {
  takes: { agentId: 'uuid' },
  gives: { companyId: 'uuid', adapterType: 'text', adapterConfig: 'json', workspace: 'json?' },
  sql: ({ agentId }) => `
    SELECT a.company_id AS "companyId", a.adapter_type AS "adapterType", a.adapter_config AS "adapterConfig",
      (SELECT ${jsonObject(WORKSPACE, 'w')}::jsonb FROM workspace w
        WHERE w.company_id = a.company_id AND w.cwd IS NULL AND w.repo_url IS NOT NULL
        ORDER BY w.created_at LIMIT 1) AS workspace
    FROM agent a WHERE a.id = ${agentId}`,
});
