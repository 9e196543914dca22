import { jsonObject } from '@switchyard/db';
import type { ThreadKind } from '@switchyard/types';
import { ACTIVITY_VIEW } from '../../kernel/activity';
import { lastChunkSql } from '../../lists/last-line';
import { actorName, agentName, userName } from '../../lists/row-facts';
import { COMMENT } from '../../state/issues/insert-comment';
import { RUN } from '../../state/runs/runs';
import { listedApprovalJson } from '../approvals/list-approvals';

interface Source {
  kind: ThreadKind;
  /** SQL that returns `at`, `id` and `bytes`, the estimated size in the response. */
  rows(p: Readonly<Record<'companyId' | 'issueId', string>>): string;
  shown(id: string): string;
}

const SMALL = 500;

const createdByName = (row: string) =>
  `coalesce(${agentName(`${row}.created_by_agent_id`)}, ${userName(`${row}.created_by_user_id`)})`;

const authorName = (row: string) =>
  `coalesce(${agentName(`${row}.author_agent_id`)}, ${userName(`${row}.author_user_id`)})`;

const changes: Source = {
  kind: 'change',
  rows: (p) => `SELECT created_at AS at, id, pg_column_size(details) AS bytes FROM activity
    WHERE company_id = ${p.companyId} AND entity_id = ${p.issueId}::text
      AND entity_type = 'issue' AND action <> 'issue.commented'`,
  shown: (id) => `SELECT ${jsonObject(ACTIVITY_VIEW, 'a', { authorName: actorName('a') })}
    FROM activity a WHERE a.id = ${id}`,
};

const comments: Source = {
  kind: 'comment',
  rows: (p) => `SELECT created_at AS at, id, octet_length(body) AS bytes FROM issue_comment
    WHERE issue_id = ${p.issueId}`,
  shown: (id) => `SELECT ${jsonObject(COMMENT, 'c', { authorName: authorName('c') })}
    FROM issue_comment c WHERE c.id = ${id}`,
};

const runs: Source = {
  kind: 'run',
  rows: (p) => `SELECT created_at AS at, id, ${SMALL} AS bytes FROM heartbeat_run
      WHERE company_id = ${p.companyId} AND issue_id = ${p.issueId}
    UNION ALL
    SELECT created_at, id, ${SMALL} FROM heartbeat_run r
      WHERE jsonb_array_length(r.wake_reasons) > 1
        AND jsonb_path_query_array(r.wake_reasons, '$[*].issueId') @> to_jsonb(${p.issueId}::text)
        AND r.company_id = ${p.companyId} AND r.issue_id IS DISTINCT FROM ${p.issueId}`,
  shown: (id) =>
    `SELECT ${jsonObject(RUN, 'r', {
      agentName: agentName('r.agent_id'),
      logTail: `CASE WHEN r.status = 'running' THEN (
      SELECT encode(tail, 'base64') FROM (${lastChunkSql('r.id')}) chunk) END`,
    })} FROM heartbeat_run r WHERE r.id = ${id}`,
};

const REVISION = {
  id: 'uuid',
  documentId: 'uuid',
  revisionNumber: 'int',
  title: 'text',
  format: 'text',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  createdByRunId: 'uuid?',
} as const;

const revisions: Source = {
  kind: 'revision',
  rows: (p) => `SELECT v.created_at AS at, v.id, ${SMALL} AS bytes
    FROM issue_document d JOIN document_revision v ON v.document_id = d.id
    WHERE d.issue_id = ${p.issueId}`,
  shown: (
    id,
  ) => `SELECT ${jsonObject(REVISION, 'v', { key: 'd.key', authorName: createdByName('v') })}
    FROM document_revision v JOIN issue_document d ON d.id = v.document_id WHERE v.id = ${id}`,
};

const ATTACHMENT = {
  id: 'uuid',
  companyId: 'uuid',
  issueId: 'uuid',
  assetId: 'uuid',
  originalFilename: 'text',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  createdByRunId: 'uuid?',
  createdAt: 'time',
} as const;

const attachments: Source = {
  kind: 'attachment',
  rows: (p) => `SELECT created_at AS at, id, ${SMALL} AS bytes FROM attachment
    WHERE issue_id = ${p.issueId}`,
  shown: (id) =>
    `SELECT ${jsonObject(ATTACHMENT, 'f', {
      contentType: 'asset.content_type',
      byteSize: 'asset.byte_size',
      sha256: 'asset.sha256',
      contentPath: `'/api/attachments/' || f.id || '/content'`,
      authorName: createdByName('f'),
    })} FROM attachment f JOIN asset ON asset.id = f.asset_id WHERE f.id = ${id}`,
};

const approvals: Source = {
  kind: 'approval',
  rows: (p) => `SELECT a.created_at AS at, a.id, ${SMALL} AS bytes
    FROM approval_issue link JOIN approval a ON a.id = link.approval_id
    WHERE link.company_id = ${p.companyId} AND link.issue_id = ${p.issueId}`,
  shown: (id) => `SELECT ${listedApprovalJson} FROM approval listed WHERE listed.id = ${id}`,
};

export const SOURCES: readonly Source[] = [
  comments,
  changes,
  runs,
  revisions,
  attachments,
  approvals,
];
