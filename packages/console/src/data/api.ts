import { createClient, RefusedError, type Schemas } from '@switchyard/client';

export type { Schemas };
export { RefusedError };

/** The service that served this page; the session's cookie goes along by itself. */
export const api = createClient({ baseUrl: '' });

/** What a refusal says to a person: the sentence of the service without the status in front of it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message.replace(/^\d{3} /, '');
  return error instanceof Error ? error.message : String(error);
}

export const isOffline = (error: unknown): boolean => error instanceof TypeError;
export const isMissing = (error: unknown): boolean =>
  error instanceof RefusedError && (error.status === 404 || error.status === 403);
