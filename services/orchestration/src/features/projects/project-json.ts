import { jsonObject } from '@switchyard/db';

export const projectSummaryJson = (alias: string) =>
  jsonObject(PROJECT_SUMMARY, alias, { goalIds: goalIdsOf(alias) });

export const projectJson = (alias: string) =>
  jsonObject({ ...PROJECT_SUMMARY, description: 'text?' }, alias, {
    goalIds: goalIdsOf(alias),
    workspaces: `(SELECT coalesce(json_agg(${WORKSPACE_JSON} ORDER BY w.created_at DESC, w.id DESC), '[]')
      FROM workspace w WHERE w.company_id = ${alias}.company_id AND w.project_id = ${alias}.id)`,
  });

const goalIdsOf = (alias: string) =>
  `ARRAY(SELECT goal_id FROM project_goal WHERE project_id = ${alias}.id ORDER BY position)`;

export const PROJECT_SUMMARY = {
  id: 'uuid',
  companyId: 'uuid',
  name: 'text',
  status: 'text',
  leadAgentId: 'uuid?',
  targetDate: 'date?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const WORKSPACE = {
  id: 'uuid',
  companyId: 'uuid',
  projectId: 'uuid',
  name: 'text',
  cwd: 'text?',
  repoUrl: 'text?',
  repoRef: 'text?',
  isPrimary: 'bool',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

const WORKSPACE_JSON = jsonObject(WORKSPACE, 'w', {
  repoCredential: `CASE WHEN w.repo_secret_id IS NOT NULL THEN json_build_object('type', 'secret_ref',
    'secretId', w.repo_secret_id, 'version', coalesce(to_json(w.repo_secret_version), '"latest"')) END`,
});
