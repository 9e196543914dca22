import type { Finding } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { RequestCall } from '../../pipeline';
import { awaitFindings } from './await-findings';

/**
 * Requests a check of what an agent needs for a run from the process that executes its runs.
 * @throws ApiError 403 `not_own`, 503 when too many wait
 */
export async function requestDiagnosis(
  call: RequestCall<string>,
  agentId: string,
): Promise<Finding[]> {
  assertSelfOrBoard(call, agentId);
  // The pipeline rejects the request of an archived company with 409 after this step, so skip the check.
  if (call.companyStatus === 'archived') return [];
  return awaitFindings(call, { agentId, workspaceId: null });
}
