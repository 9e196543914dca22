import { ask, type Database, select, statement } from '@switchyard/db';
import type { ListedRunView } from '@switchyard/types';
import { lastChunkSql, lastLineOf } from '../../lists/last-line';
import { agentName, issueReference } from '../../lists/row-facts';
import { RUN, type RunRow } from '../../state/runs/runs';
import { presentRun } from './present-run';

const FACTS = { agentName: 'text', issue: 'json?', logTail: 'bytes?' } as const;

export const LISTED_RUN = { ...RUN, ...FACTS } as const;

export const selectListedRun = (r: string) => `
  ${Object.keys(RUN)
    .map((column) => `${r}."${column}"`)
    .join(', ')},
  ${agentName(`${r}."agentId"`)} AS "agentName",
  ${issueReference(`${r}."issueId"`)} AS issue,
  CASE WHEN ${r}.status = 'running' THEN (
    SELECT tail FROM (${lastChunkSql(`${r}.id`)}) chunk
  ) END AS "logTail"`;

type Facts = Pick<ListedRunView, 'agentName' | 'issue'> & { logTail: Uint8Array | null };

export async function readRunRows(
  db: Database,
  companyId: string,
  ids: string[],
): Promise<ListedRunView[]> {
  return (await ask(db, readRunsByIds, { companyId, ids })).map(presentListedRun);
}

const readRunsByIds = statement('runs-by-ids', {
  takes: { companyId: 'uuid', ids: 'uuid[]' },
  gives: LISTED_RUN,
  sql: ({ companyId, ids }) => `
    SELECT ${selectListedRun('r')} FROM (
      SELECT ${select(RUN, 'r')} FROM heartbeat_run r
      WHERE r.company_id = ${companyId} AND r.id = ANY (${ids})) r`,
});

export async function readLiveRunRows(
  db: Database,
  companyId: string,
  take: number,
): Promise<ListedRunView[]> {
  return (await ask(db, readLiveRuns, { companyId, take })).map(presentListedRun);
}

const readLiveRuns = statement('live-runs', {
  takes: { companyId: 'uuid', take: 'int' },
  gives: LISTED_RUN,
  sql: ({ companyId, take }) => {
    const ofStatus = (status: string) => `(
      SELECT ${select(RUN, 'r')} FROM heartbeat_run r
      WHERE r.company_id = ${companyId} AND r.status = '${status}'
      ORDER BY r.created_at DESC, r.id DESC LIMIT ${take})`;
    return `
      SELECT ${selectListedRun('r')}
      FROM (${ofStatus('running')} UNION ALL ${ofStatus('queued')}) r`;
  },
});

export function presentListedRun({ logTail, ...row }: RunRow & Facts): ListedRunView {
  const { agentName, issue, ...run } = row;
  const shown = presentRun(run);
  return {
    ...shown,
    wakeReasons: shown.wakeReasons.map((wake) => ({ ...wake, payload: null })),
    agentName,
    issue,
    reason: shown.wakeReasons[0]?.reason ?? shown.source,
    lastLogLine: lastLineOf(logTail),
  };
}
