import { type ApiError, conflict } from '@switchyard/server';

export function companyArchived(): ApiError {
  const what = 'the company is archived: its data cannot be changed';
  return conflict('company_archived', what, { retry: false });
}
