import { RefusedError } from './api';

/** What the service said of single settings, by the setting's name: `adapterConfig.env.KEY` is of `env`. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!(error instanceof RefusedError) || !Array.isArray(error.details)) return errors;
  for (const detail of error.details as { path?: unknown; message?: unknown }[]) {
    const parts = Array.isArray(detail.path) ? detail.path : String(detail.path ?? '').split('.');
    const [first, ...others] = parts.map(String);
    const name = first === 'adapterConfig' && others[0] ? others[0] : first;
    const rest = first === 'adapterConfig' ? others.slice(1) : others;
    if (!name) continue;
    errors[name] ??= [...(rest.length > 0 ? [`${rest.join('.')}:`] : []), detail.message].join(' ');
  }
  return errors;
}
