import { conflict } from '@switchyard/server';

export function assertCompanyActive(status: string): void {
  if (status === 'active') return;
  const code = status === 'paused' ? 'company_paused' : 'company_archived';
  throw conflict(code, `the company is ${status}`, { retry: false });
}

export function refuseArchived(routine: { status: string }): void {
  if (routine.status !== 'archived') return;
  throw conflict('routine_archived', 'the routine is archived', { retry: false });
}

export function assertEnabled(enabled: boolean, details: { triggerId?: string } = {}): void {
  if (enabled) return;
  throw conflict('trigger_disabled', 'the trigger is not enabled', { ...details, retry: false });
}
