import type { Finding } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { RequestCall } from '../../route';
import { awaitFindings } from './await-findings';

export async function requestDiagnosis(
  call: RequestCall<string>,
  agentId: string,
): Promise<Finding[]> {
  assertSelfOrBoard(call, agentId);
  if (call.companyStatus === 'archived') return [];
  return awaitFindings(call, { agentId, workspaceId: null });
}
