import type { RoutineTriggerModel } from '@switchyard/db';
import type { RotatedTriggerView, RoutineTriggerView, SigningMode } from '@switchyard/types';

export type TriggerRow = Omit<
  RoutineTriggerModel,
  'secretVersion' | 'secretKeyId' | 'secretCiphertext'
>;

export function presentTrigger(row: TriggerRow): RoutineTriggerView {
  const common = {
    id: row.id,
    companyId: row.companyId,
    routineId: row.routineId,
    label: row.label,
    enabled: row.enabled,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
    failureCount: row.failureCount,
    failureReason: row.failureReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
  if (row.kind === 'schedule') {
    const { cronExpression, timezone } = row;
    return {
      ...common,
      kind: 'schedule',
      cronExpression: cronExpression ?? '',
      timezone: timezone ?? '',
    };
  }
  if (row.kind === 'api') return { ...common, kind: 'api' };
  return {
    ...common,
    kind: 'webhook',
    publicId: row.publicId ?? '',
    signingMode: row.signingMode as SigningMode,
    replayWindowSec: row.replayWindowSec ?? 0,
  };
}

export function presentWithSecret(
  row: TriggerRow,
  publicUrl: string,
  secret: string,
): RotatedTriggerView {
  const fireUrl = `${publicUrl}/api/routine-triggers/public/${row.publicId}/fire`;
  return { ...presentTrigger(row), secret, fireUrl } as RotatedTriggerView;
}
