export const DOCUMENT_SUMMARY = {
  id: 'uuid',
  issueId: 'uuid',
  key: 'text',
  title: 'text',
  format: 'text',
  latestRevisionId: 'uuid',
  latestRevisionNumber: 'int',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  updatedByAgentId: 'uuid?',
  updatedByUserId: 'text?',
  createdAt: 'time',
  updatedAt: 'time',
} as const;

export const DOCUMENT = { ...DOCUMENT_SUMMARY, body: 'text' } as const;

export const DOCUMENTS = `(
  SELECT d.id, d.issue_id, d.key, latest.title, latest.format, d.latest_revision_id, d.latest_revision_number,
    first.created_by_agent_id, first.created_by_user_id,
    latest.created_by_agent_id AS updated_by_agent_id, latest.created_by_user_id AS updated_by_user_id,
    d.created_at, d.updated_at, latest.body
  FROM issue_document d
  JOIN document_revision first ON first.document_id = d.id AND first.revision_number = 1
  JOIN document_revision latest ON latest.id = d.latest_revision_id)`;
