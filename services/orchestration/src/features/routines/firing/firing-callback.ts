import type { RoutineRunView } from '@switchyard/types';
import type { Tx } from '../../../kernel/call';
import type { DeliveryTarget } from '../../callbacks/delivery-target';
import { storeCallback } from '../../callbacks/request-callback';

/** A firing that joined an active one ends together with it. */
export function storeFiringCallback(
  tx: Tx,
  callback: DeliveryTarget,
  { id, activeRoutineRunId }: RoutineRunView,
): Promise<void> {
  return storeCallback(tx, callback, { type: 'routine_run', id }, activeRoutineRunId ?? id);
}
