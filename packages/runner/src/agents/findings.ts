import type { Finding } from '@switchyard/types';
import type { TextMask } from '../masking/output-masking';

type Details = Record<string, unknown>;

export const ok = (code: string, message: string, details?: Details): Finding => ({
  level: 'ok',
  code,
  message,
  ...(details && { details }),
});

export const error = (code: string, message: string, details?: Details): Finding => ({
  ...ok(code, message, details),
  level: 'error',
});

export async function collectFindings(
  check: () => Promise<Finding[]> | undefined,
): Promise<Finding[]> {
  try {
    return (await check()) ?? [];
  } catch {
    return [error('check_failed', 'the check of the program or address failed')];
  }
}

export function maskFinding(mask: TextMask, finding: Finding): Finding {
  const { message, details } = finding;
  return {
    ...finding,
    message: mask(message),
    ...(details && { details: JSON.parse(mask(JSON.stringify(details))) as Details }),
  };
}
