import type { Finding } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { RequestCall } from '../../pipeline';
import { awaitFindings } from './await-findings';

/** @throws ApiError 403 `not_own`, 503 when too many wait */
export async function requestDiagnosis(
  call: RequestCall<string>,
  agentId: string,
): Promise<Finding[]> {
  assertSelfOrBoard(call, agentId);
  // The pipeline refuses an archived company after this step.
  if (call.companyStatus === 'archived') return [];
  return awaitFindings(call, { agentId, workspaceId: null });
}
