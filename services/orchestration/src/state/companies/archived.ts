import { type ApiError, conflict } from '@switchyard/server';

export function companyArchived(): ApiError {
  const what = 'the company is archived: nothing can be changed in it any more';
  return conflict('company_archived', what, { retry: false });
}
