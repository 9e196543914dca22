import { useHeld } from '../../data/draft';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { JsonField } from '../../ui/json-field';
import { useRoutineActions } from '../routines/use-routine-actions';
import type { Routine } from './routine';

export function TestFire({ routine, onClose }: { routine: Routine; onClose: () => void }) {
  const { fire } = useRoutineActions();
  const held = useHeld<{ payload: unknown }>(`test ${routine.id}`, { payload: { test: true } });
  const { payload } = held.value;
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  return (
    <FormDialog
      title={t('routine.testFire')}
      submit={t('routine.testFire')}
      held={held}
      isBusy={fire.isPending}
      isIncomplete={payload !== undefined && !isObject}
      onSubmit={() =>
        fire.mutate(
          { routine, ...(isObject && { payload: payload as Record<string, unknown> }) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <JsonField
        label={t('routine.payload')}
        hint={t('routine.payloadHint')}
        value={payload}
        onChange={(next) => held.change({ payload: next })}
      />
    </FormDialog>
  );
}
