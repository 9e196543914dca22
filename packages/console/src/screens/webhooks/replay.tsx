import { unwrap } from '@switchyard/client';
import { useState } from 'react';
import { api } from '../../data/api';
import { useHeld } from '../../data/draft';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField } from '../../ui/field';
import { showToast } from '../../ui/toast';
import type { Endpoint } from './endpoint';

export function Replay({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id: endpointId, host, failingSince } = endpoint;
  const [first] = useState(() => ({
    since: localTime(failingSince ?? new Date().toISOString()),
  }));
  const held = useHeld(`replay ${endpointId}`, first);
  const { since } = held.value;
  const replaying = useSend(
    () =>
      unwrap(
        api.POST('/api/endpoints/{endpointId}/replay', {
          params: { path: { endpointId } },
          body: { since: new Date(since).toISOString() },
        }),
      ),
    {
      onDone: ({ count }) => {
        showToast({ text: t('webhooks.replayed', { count }) });
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t('webhooks.replayTo', { host })}
      submit={t('webhooks.replay')}
      held={held}
      isBusy={replaying.isPending}
      isIncomplete={!since}
      onSubmit={() => replaying.mutate(undefined)}
      onClose={onClose}
    >
      <InputField
        name="since"
        label={t('webhooks.since')}
        hint={t('webhooks.sinceHint')}
        type="datetime-local"
        value={since}
        onChange={({ target }) => held.change({ since: target.value })}
      />
    </FormDialog>
  );
}

/** Returns a time as a `datetime-local` input shows it: in the browser's time zone, in minutes. */
function localTime(time: string): string {
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
