import { unwrap } from '@switchyard/client';
import { api } from '../../data/api';
import { t } from '../../i18n';
import { EntityForm } from '../../ui/dialogs/entity-form';
import { type RoutineDraft, RoutineFields } from '../routines/routine-fields';
import type { Routine } from './routine';

export function EditRoutine({ routine, onClose }: { routine: Routine; onClose: () => void }) {
  return (
    <EntityForm<RoutineDraft, unknown>
      name={`routine ${routine.id}`}
      title={t('routine.editTitle')}
      stored={routine}
      save={(changes) =>
        unwrap(
          api.PATCH('/api/routines/{routineId}', {
            params: { path: { routineId: routine.id } },
            body: changes,
          }),
        )
      }
      onClose={onClose}
    >
      {({ shown, change }) => <RoutineFields value={{ ...routine, ...shown }} onChange={change} />}
    </EntityForm>
  );
}
