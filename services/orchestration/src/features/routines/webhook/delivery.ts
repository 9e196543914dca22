import { createHash } from 'node:crypto';
import { invalidField } from '@switchyard/server';
import type { RoutineRunView, SigningMode } from '@switchyard/types';
import type { Signature } from '../../../state/routines/signatures';

export type Delivery = NonNullable<RoutineRunView['delivery']>;
type Payload = Record<string, unknown> | null;
type ReadHeader = (name: string) => string | undefined;

const NONE: Delivery = { event: null, id: null, retry: null };

/**
 * Returns the event and delivery id of GitHub, Slack or Stripe; null for other senders.
 * @throws ApiError 400 for a malformed header
 */
export function deliveryOf(
  signingMode: SigningMode,
  header: ReadHeader,
  payload: Payload,
): Delivery | null {
  const delivery = READERS[signingMode]?.(header, payload) ?? NONE;
  return Object.values(delivery).every((value) => value === null) ? null : delivery;
}

const READERS: Partial<Record<SigningMode, (header: ReadHeader, payload: Payload) => Delivery>> = {
  // https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers
  github: (header) => ({
    ...NONE,
    event: wordIn(header, 'X-GitHub-Event'),
    id: wordIn(header, 'X-GitHub-Delivery'),
  }),
  // https://docs.slack.dev/apis/events-api: the event is the type of the inner event; retry numbers
  // start at 1.
  slack: (header, payload) => {
    const retry = wordIn(header, 'X-Slack-Retry-Num', /^\d{1,6}$/);
    const inner = payload?.event as Payload | undefined;
    return {
      event: textIn(inner?.type ?? payload?.type),
      id: textIn(payload?.event_id),
      retry: retry === null ? null : Number(retry),
    };
  },
  stripe: (_, payload) => ({ ...NONE, event: textIn(payload?.type), id: textIn(payload?.id) }),
};

function wordIn(header: ReadHeader, name: string, form = /^[\x21-\x7e]{1,200}$/): string | null {
  const value = header(name);
  if (value === undefined || value === '') return null;
  if (!form.test(value)) throw invalidField(name, 'must have the format of the trigger’s provider');
  return value;
}

const textIn = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : null;

const REPEATED_FOR_MS = 3 * 86_400_000;

/** Identifies a repeated delivery even if the signature was created at another time. */
export function deliveryKey(delivery: Delivery | null, body: Buffer, nowMs: number): Signature[] {
  if (!delivery?.id) return [];
  const digest = createHash('sha256').update(`${delivery.id}\n`).update(body).digest();
  return [{ digest, expiresAt: nowMs + REPEATED_FOR_MS }];
}
