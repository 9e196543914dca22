import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { useKeys } from '../../ui/browser/keys';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { Page } from '../../ui/page';
import { Rows } from '../../ui/rows';
import { Loading } from '../../ui/states';
import { addressOf } from './address-of';
import { AllDone } from './all-done';
import type { InboxAction, InboxItem } from './inbox-item';
import { ItemRow } from './item-row';
import { useItemActions } from './use-item-actions';

const ActionDialog = lazy(() =>
  import('./action-dialog').then(({ ActionDialog }) => ({ default: ActionDialog })),
);

export function NeedsYouScreen() {
  const company = useCompany();
  const navigate = useNavigate();
  const inbox = useRead('/api/companies/{companyId}/inbox', { path: { companyId: company.id } });
  const actions = useItemActions();
  const isNarrow = useIsNarrow();
  const [marked, setMarked] = useState<InboxItem>();
  const open = (item: InboxItem) => void navigate(addressOf(item, company.issuePrefix));
  const mayWrite = useMayWrite();
  const take = (find: (item: InboxItem) => InboxAction | undefined) => () => {
    const action = marked && find(marked);
    if (marked && action) actions.begin(marked, action);
  };
  useKeys(
    mayWrite
      ? [
          { keys: 'a', label: 'needsYou.key.first', run: take(firstOf) },
          { keys: 'r', label: 'needsYou.key.reject', run: take(refusalOf) },
          { keys: 'e', label: 'needsYou.key.snooze', run: () => marked && actions.snooze(marked) },
        ]
      : [],
  );
  return (
    <Page
      title={t('nav.needsYou')}
      aside={inbox.data && inbox.data.length > 0 && String(inbox.data.length)}
    >
      <Loading of={inbox}>
        {(items) =>
          items.length === 0 ? (
            <AllDone />
          ) : (
            <Rows
              label={t('nav.needsYou')}
              rows={items}
              idOf={({ id }) => id}
              height={isNarrow ? (mayWrite ? 116 : 80) : 44}
              onOpen={open}
              onMark={setMarked}
              render={(item) => (
                <ItemRow
                  item={item}
                  kind={word('inboxKind', item.kind)}
                  onOpen={() => open(item)}
                  onAct={(action) => actions.begin(item, action)}
                  onSnooze={(until) => actions.snooze(item, until)}
                  onDismiss={() => actions.dismiss(item)}
                />
              )}
            />
          )
        }
      </Loading>
      <Suspense>
        {actions.asked && (
          <ActionDialog
            item={actions.asked.item}
            action={actions.asked.action}
            isBusy={actions.isSending}
            onSend={(values) => actions.send(values)}
            onClose={actions.cancel}
          />
        )}
      </Suspense>
    </Page>
  );
}

const firstOf = ({ actions: [first] }: InboxItem) => first;

const refusalOf = ({ actions }: InboxItem) =>
  actions.find(({ name }) => name === 'reject' || name === 'dismiss');
