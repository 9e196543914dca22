import { unwrap } from '@switchyard/client';
import { api } from '../../data/api';
import { useRead } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialogs/dialog';
import { Tag } from '../../ui/marks';
import { Panel } from '../../ui/page';
import { Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import type { Delivery, Endpoint } from './endpoint';

export function Deliveries({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { id: endpointId, host, status } = endpoint;
  const deliveries = useRead(
    '/api/endpoints/{endpointId}/deliveries',
    { path: { endpointId }, query: { limit: 50 } },
    { staleTime: 0, rereadMs: (all) => (all.some(isAboutToBeSent) ? SOON_MS : false) },
  );
  const sending = useSend(
    (deliveryId: string) =>
      unwrap(api.POST('/api/deliveries/{deliveryId}/send', { params: { path: { deliveryId } } })),
    { onDone: () => void deliveries.refetch() },
  );
  const maySend = useMayWrite() && status === 'enabled';
  return (
    <Dialog title={t('webhooks.deliveriesTo', { host })} onClose={onClose} width="lg">
      <Loading of={deliveries}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-sm text-muted">{t('webhooks.noDeliveries')}</p>
          ) : (
            <Panel>
              {all.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  onSend={
                    maySend && delivery.status !== 'pending'
                      ? () => sending.mutate(delivery.id)
                      : undefined
                  }
                />
              ))}
            </Panel>
          )
        }
      </Loading>
    </Dialog>
  );
}

const SOON_MS = 1_000;

const LONGEST_ATTEMPT_MS = 90_000;

const isAboutToBeSent = ({ status, nextAttemptAt }: Delivery): boolean =>
  status === 'pending' &&
  (nextAttemptAt === null || Date.parse(nextAttemptAt) < Date.now() + LONGEST_ATTEMPT_MS);

const TONES = { pending: 'warn', delivered: 'good', given_up: 'bad' } as const;

function DeliveryRow({
  delivery,
  onSend,
}: {
  delivery: Delivery;
  onSend?: (() => void) | undefined;
}) {
  const { type, status, attempts, answerStatus, error, createdAt, nextAttemptAt } = delivery;
  const answer = error ?? (answerStatus === null ? null : `HTTP ${answerStatus}`);
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 border-b border-line px-4 py-1.5 last:border-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">
          {word('webhookEvent', type)} · <Ago at={createdAt} className="text-muted" />
        </span>
        <span className="block text-sm break-words text-muted">
          {[answer, attempts > 0 && t('webhooks.attempts', { count: attempts })]
            .filter(Boolean)
            .join(' · ')}
          {status === 'pending' && nextAttemptAt && attempts > 0 && (
            <>
              {' · '}
              {t('webhooks.next')} <Ago at={nextAttemptAt} />
            </>
          )}
        </span>
      </span>
      <Tag tone={TONES[status]}>{word('deliveryStatus', status)}</Tag>
      {onSend && <Button onClick={onSend}>{t('webhooks.sendAgain')}</Button>}
    </div>
  );
}
