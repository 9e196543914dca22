import { hostname } from 'node:os';
import { error } from '@switchyard/runner/agents/findings';
import type { CheckAssignment, Finding } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import type { Taker } from '../../state/runs/claims/takers';
import { type ClaimedCheck, claimChecks, storeFindings } from '../checks/claim-checks';
import { openDiagnosis } from '../checks/open-diagnosis';
import { CannotStart } from '../runs/execute/cannot-start';
import { assignWorkspaceTest } from './assign-workspace-test';

/** Stores findings for invalid configurations here, so that no runner has to check them. */
export async function assignChecks(
  context: Context,
  claiming: { taker: Taker; instance: string; free: number },
): Promise<CheckAssignment[]> {
  const claimed = await claimChecks(context, claiming);
  const assigned = await Promise.all(claimed.map((check) => assign(context, check)));
  return assigned.filter((one) => one !== null);
}

async function assign(context: Context, check: ClaimedCheck): Promise<CheckAssignment | null> {
  const { id: checkId, agentId, workspaceId } = check;
  if (workspaceId) {
    return assignWorkspaceTest(context, { ...check, workspaceId }).catch(async (cause: unknown) => {
      if (!(cause instanceof CannotStart)) throw cause;
      const text = 'the credential cannot be decrypted: store a new value in its secret';
      await storeFindings(context, checkId, [checkedHere(), error('secret_unavailable', text)]);
      return null;
    });
  }
  const opened = await openDiagnosis(context, agentId);
  if (!opened || 'problems' in opened) {
    const findings = opened ? [checkedHere(), ...opened.problems] : [];
    await storeFindings(context, checkId, findings);
    return null;
  }
  const { companyId, adapter, config, environment, secrets, workspace } = opened;
  const { type: adapterType } = adapter;
  return { checkId, companyId, agentId, adapterType, config, environment, secrets, workspace };
}

function checkedHere(): Finding {
  const host = hostname();
  const details = { process: 'server', host };
  const message = `only the configuration was checked, by the server on ${host}`;
  return { level: 'ok', code: 'checked_on', message, details };
}
