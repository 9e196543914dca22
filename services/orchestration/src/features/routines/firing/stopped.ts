import { conflict } from '@switchyard/server';
import type { LockedForFiring } from '../../../state/routines/lock-for-firing';

export function assertCompanyActive(status: string): void {
  if (status === 'active') return;
  const code = status === 'paused' ? 'company_paused' : 'company_archived';
  throw conflict(code, `the company is ${status}`, { retry: false });
}

export function refuseArchived(routine: { status: string }): void {
  if (routine.status !== 'archived') return;
  throw conflict('routine_archived', 'the routine is archived', { retry: false });
}

export function assertFiring({ notFiring, companyStatus }: LockedForFiring): void {
  if (notFiring === 'routine_paused') {
    const message = 'the routine is paused: a person must set its status to active';
    throw conflict('routine_paused', message, { retry: false });
  }
  if (notFiring !== null) assertCompanyActive(companyStatus);
}

export function assertEnabled(enabled: boolean, details: { triggerId?: string } = {}): void {
  if (enabled) return;
  throw conflict('trigger_disabled', 'the trigger is not enabled', { ...details, retry: false });
}
