import { isId } from '@switchyard/db';
import { error } from '@switchyard/runner/agents/findings';
import { notFound } from '@switchyard/server';
import type { Finding, ReportCheckBody } from '@switchyard/types';
import { findHeldCheck, storeFindings } from '../checks/claim-checks';
import { openDiagnosis } from '../checks/open-diagnosis';
import { type RunnerCall, refusePods } from './runner-call';

export async function reportCheck(
  { actor, context }: RunnerCall,
  checkId: string,
  { findings }: ReportCheckBody,
): Promise<void> {
  refusePods(actor);
  const { runnerId } = actor;
  const held = isId(checkId) ? await findHeldCheck(context, { id: checkId, runnerId }) : null;
  if (!held)
    throw notFound('check', 'it was not assigned to this runner, or its request has ended');
  const isOfWorkspace = held.workspaceId !== null;
  if (isOfWorkspace && !isWorkspaceTest(findings)) {
    return storeFindings(context, checkId, [OUTDATED]);
  }
  const opened = isOfWorkspace ? null : await openDiagnosis(context, held.agentId);
  const ours: Finding[] = opened === null || 'problems' in opened ? [] : opened.findings;
  const [where, ...looked] = findings as Finding[];
  await storeFindings(context, checkId, [...(where ? [where] : []), ...ours, ...looked]);
}

const isWorkspaceTest = ([where]: ReportCheckBody['findings']) =>
  where?.code === 'check_failed' || where?.details?.tested === 'workspace';

const OUTDATED: Finding = error(
  'runner_outdated',
  'the runner cannot test workspaces: upgrade it to the version of the server, then test again',
);
