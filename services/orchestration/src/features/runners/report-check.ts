import { isId } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { Finding, ReportCheckBody } from '@switchyard/types';
import { error } from '../../adapters/agents/findings';
import { findHeldCheck, storeFindings } from '../checks/claim-checks';
import { openDiagnosis } from '../checks/open-diagnosis';
import { type RunnerCall, refusePods } from './runner-call';

/**
 * Stores a runner's findings on an agent or a workspace; for an agent, the server adds its own about unavailable
 * secrets.
 * @throws ApiError 404 for a check that it was not given, or that nobody waits for any more
 */
export async function reportCheck(
  { actor, context }: RunnerCall,
  checkId: string,
  { findings }: ReportCheckBody,
): Promise<void> {
  refusePods(actor);
  const { runnerId } = actor;
  const held = isId(checkId) ? await findHeldCheck(context, { id: checkId, runnerId }) : null;
  if (!held) throw notFound('check', 'it was not given to this runner, or nobody waits for it');
  const isOfWorkspace = held.workspaceId !== null;
  if (isOfWorkspace && !isWorkspaceTest(findings)) {
    return storeFindings(context, checkId, [OUTDATED]);
  }
  const opened = isOfWorkspace ? null : await openDiagnosis(context, held.agentId);
  const ours: Finding[] = opened === null || 'problems' in opened ? [] : opened.findings;
  const [where, ...looked] = findings as Finding[];
  await storeFindings(context, checkId, [...(where ? [where] : []), ...ours, ...looked]);
}

/** A runner of an earlier version takes the test for a check of an agent, and would find nothing wrong. */
const isWorkspaceTest = ([where]: ReportCheckBody['findings']) =>
  where?.code === 'check_failed' || where?.details?.tested === 'workspace';

const OUTDATED: Finding = error(
  'runner_outdated',
  'the runner cannot test workspaces: upgrade it to the version of the server, then test again',
);
