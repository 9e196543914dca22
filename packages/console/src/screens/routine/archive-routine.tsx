import { unwrap } from '@switchyard/client';
import { api } from '../../data/api';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import type { Routine } from './routine';

export function ArchiveRoutine({ routine, onClose }: { routine: Routine; onClose: () => void }) {
  const archiving = useSend(
    () =>
      unwrap(
        api.PATCH('/api/routines/{routineId}', {
          params: { path: { routineId: routine.id } },
          body: { status: 'archived' },
        }),
      ),
    { onDone: onClose },
  );
  return (
    <FormDialog
      title={t('routine.archiveTitle')}
      submit={t('routine.archive')}
      tone="danger"
      isBusy={archiving.isPending}
      onSubmit={() => archiving.mutate(undefined)}
      onClose={onClose}
    >
      <p>{t('routine.archiveText')}</p>
    </FormDialog>
  );
}
