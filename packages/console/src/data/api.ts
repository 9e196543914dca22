import { createClient, RefusedError, type Schemas } from '@switchyard/client';
import { t } from '../i18n';
import { noteCompaniesRead } from './live/positions';

export type { Schemas };
export { RefusedError };

export const api = createClient({ baseUrl: '' });
api.use({
  onResponse: ({ schemaPath, request, response }) => {
    if (schemaPath === '/api/companies' && request.method === 'GET')
      noteCompaniesRead(request, response);
  },
});

export function sentenceOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message.replace(/^\d{3} /, '');
  if (isOffline(error)) return t('state.offline');
  return error instanceof Error ? error.message : String(error);
}

/**
 * Matches the messages of Chromium, Firefox and Safari for a failed request; other type errors are
 * bugs.
 */
export const isOffline = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
export const isMissing = (error: unknown): boolean =>
  error instanceof RefusedError && (error.status === 404 || error.status === 403);
