import { RefusedError } from '@switchyard/client';

interface Problem {
  path?: unknown;
  message?: unknown;
}

export function fieldErrorsOf(error: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of problemsOf(error)) {
    const parts = Array.isArray(path) ? path : String(path ?? '').split('.');
    const [first, ...others] = parts.map(String);
    const name = first === 'adapterConfig' && others[0] ? others[0] : first;
    const rest = first === 'adapterConfig' ? others.slice(1) : others;
    if (!name) continue;
    errors[name] ??= [...(rest.length > 0 ? [`${rest.join('.')}:`] : []), message].join(' ');
  }
  return errors;
}

function problemsOf(error: unknown): Problem[] {
  if (!(error instanceof RefusedError)) return [];
  const { details } = error;
  if (Array.isArray(details)) return details;
  const field = (details as { field?: unknown } | null | undefined)?.field;
  if (typeof field !== 'string') return [];
  return [{ path: field, message: error.message.replace(/^\d{3} /, '') }];
}
