import { hostname } from 'node:os';
import { collectFindings, maskFinding, ok } from '@switchyard/runner/agents/findings';
import { createTextMask } from '@switchyard/runner/masking/output-masking';
import type { Finding } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import { openDiagnosis } from './open-diagnosis';

type Parts = Pick<Context, 'db' | 'adapters' | 'secretBox'>;

/**
 * Checks the configuration, secrets and address of an agent that a worker executes. Writes nothing;
 * findings do not contain secrets.
 */
export async function diagnoseAgent(
  parts: Parts,
  agentId: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const host = hostname();
  const where = ok('checked_on', `checked by a worker on ${host}`, { process: 'worker', host });
  const opened = await openDiagnosis(parts, agentId);
  if (!opened) return [];
  if ('problems' in opened) return [where, ...opened.problems];
  const { adapter, workspace: _, secrets, findings: ofSecrets, ...seen } = opened;
  const mask = createTextMask(secrets);
  const look = { ...seen, workingDirectory: '', signal };
  const looked = await collectFindings(() => adapter.check?.(look));
  return [where, ...[...ofSecrets, ...looked].map((finding) => maskFinding(mask, finding))];
}
