import { unwrap } from '@switchyard/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/api';
import { useCompany } from '../../data/company';
import { keyOf } from '../../data/read';
import { useSend } from '../../data/send';
import { t } from '../../i18n';
import { showToast } from '../../ui/toast';
import type { InboxAction, InboxItem } from './inbox-item';
import { removeItem } from './remove-item';

type Values = Record<string, unknown>;

export function useItemActions() {
  const { id: companyId } = useCompany();
  const [asked, setAsked] = useState<{ item: InboxItem; action: InboxAction }>();
  const client = useQueryClient();
  const inbox = keyOf('/api/companies/{companyId}/inbox', { path: { companyId } });
  const remove = (item: InboxItem) => removeItem(client, inbox, item.id);
  const act = useSend(
    ({ action, values }: { item: InboxItem; action: InboxAction; values: Values }) =>
      unwrap(
        api.request(
          action.method.toLowerCase() as 'post',
          action.path as '/api/companies',
          {
            body: { ...action.body, ...values },
          } as never,
        ),
      ),
  );
  const path = (item: InboxItem) => ({ path: { companyId, itemId: item.id } });
  const snoozing = useSend(({ item, until }: { item: InboxItem; until: Date }) =>
    unwrap(
      api.POST('/api/companies/{companyId}/inbox/{itemId}/snooze', {
        params: path(item),
        body: { until: until.toISOString() },
      }),
    ),
  );
  const dismissing = useSend((item: InboxItem) =>
    unwrap(api.POST('/api/companies/{companyId}/inbox/{itemId}/dismiss', { params: path(item) })),
  );
  const send = (item: InboxItem, action: InboxAction, values: Values) => {
    const putBack = remove(item);
    act.mutate({ item, action, values }, { onError: putBack });
  };
  return {
    asked,
    begin: (item: InboxItem, action: InboxAction) =>
      action.fields && action.fields.length > 0
        ? setAsked({ item, action })
        : send(item, action, {}),
    send: (values: Values) =>
      asked &&
      act.mutate(
        { ...asked, values },
        {
          onSuccess: () => {
            remove(asked.item);
            setAsked(undefined);
            const { agentName: name } = asked.item;
            if (name && CONTINUES.includes(asked.action.name)) {
              showToast({ text: t('needsYou.continues', { name }) });
            }
          },
        },
      ),
    isSending: act.isPending,
    cancel: () => setAsked(undefined),
    snooze: (item: InboxItem, until = tomorrowMorning()) => {
      const putBack = remove(item);
      snoozing.mutate({ item, until }, { onError: putBack });
      showToast({ text: t('needsYou.snoozed', { title: item.title }) });
    },
    dismiss: (item: InboxItem) => {
      const putBack = remove(item);
      dismissing.mutate(item, { onError: putBack });
    },
  };
}

const CONTINUES = ['answer', 'approve', 'unblock'];

export function tomorrowMorning(): Date {
  const morning = new Date();
  morning.setDate(morning.getDate() + 1);
  morning.setHours(8, 0, 0, 0);
  return morning;
}
