import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { type RoutineDraft, RoutineFields } from '../routines/routine-fields';
import type { Routine } from './routine';

export function EditRoutine({ routine, onClose }: { routine: Routine; onClose: () => void }) {
  const [changes, setChanges] = useState<Partial<RoutineDraft>>({});
  const saving = useSend(
    () =>
      unwrap(
        api.PATCH('/api/routines/{routineId}', {
          params: { path: { routineId: routine.id } },
          body: changes,
        }),
      ),
    { onDone: onClose },
  );
  return (
    <FormDialog
      title={t('routine.editTitle')}
      isBusy={saving.isPending}
      isIncomplete={Object.keys(changes).length === 0}
      onSubmit={() => saving.mutate(undefined)}
      onClose={onClose}
    >
      <RoutineFields
        value={{ ...routine, ...changes }}
        onChange={(next) => setChanges({ ...changes, ...next })}
      />
    </FormDialog>
  );
}
