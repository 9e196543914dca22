import { hostname } from 'node:os';
import type { Finding } from '@switchyard/types';
import type { AdapterLook, KnownAdapter } from '../../adapters/agents/agent-adapter';
import { createTextMask, type TextMask } from '../../adapters/output-masking';
import type { Context } from '../../context';
import { openDiagnosis } from './open-diagnosis';

type Parts = Pick<Context, 'db' | 'adapters' | 'secretBox'>;

const ok = (code: string, message: string, details?: Record<string, unknown>): Finding => ({
  level: 'ok',
  code,
  message,
  ...(details && { details }),
});
const error = (code: string, message: string, details?: Record<string, unknown>): Finding => ({
  ...ok(code, message, details),
  level: 'error',
});

/** The adapter's own look at what it would call. */
async function lookThroughAdapter(
  { check }: KnownAdapter,
  seen: Omit<AdapterLook<unknown>, 'workingDirectory'>,
): Promise<Finding[]> {
  try {
    return (await check?.({ ...seen, workingDirectory: '' })) ?? [];
  } catch {
    return [error('check_failed', 'the look at the program or address failed')];
  }
}

function masked(mask: TextMask, finding: Finding): Finding {
  const details = finding.details && (JSON.parse(mask(JSON.stringify(finding.details))) as object);
  return {
    ...finding,
    message: mask(finding.message),
    ...(details && { details: { ...details } }),
  };
}

/**
 * What an agent whose runs a worker executes would find if it ran here and now: configuration, secrets, address. Nothing is
 * written, and no finding shows a secret. What runners execute they look at themselves.
 */
export async function diagnoseAgent(
  parts: Parts,
  agentId: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const host = hostname();
  const where = ok('checked_on', `looked at by a worker on ${host}`, { process: 'worker', host });
  const opened = await openDiagnosis(parts, agentId);
  if (!opened) return [];
  if ('problems' in opened) return [where, ...opened.problems];
  const { adapter, workspace: _, secrets, findings: ofSecrets, ...seen } = opened;
  const mask = createTextMask(secrets);
  const looked = await lookThroughAdapter(adapter, { ...seen, signal });
  return [where, ...[...ofSecrets, ...looked].map((finding) => masked(mask, finding))];
}
