import type { Finding } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { RequestCall } from '../../pipeline';
import { awaitFindings } from './await-findings';

/** Has what an agent needs for a run looked at where it runs. @throws ApiError 403 `not_own`, 503 when too many wait */
export async function requestDiagnosis(
  call: RequestCall<string>,
  agentId: string,
): Promise<Finding[]> {
  assertSelfOrBoard(call, agentId);
  // Refused a moment later, whatever would be found.
  if (call.companyStatus === 'archived') return [];
  return awaitFindings(call, { agentId, workspaceId: null });
}
