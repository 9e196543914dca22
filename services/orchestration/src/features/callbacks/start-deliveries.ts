import {
  type DelivererOptions,
  type Due,
  deliverDue,
  type Outbox,
  openDeliverer,
} from '@switchyard/deliverer';
import { signingKey } from '@switchyard/server';
import { refusePlainHttp } from '../../adapters/agents/http/plain-http';
import {
  AddressRefusedError,
  createGuardedConnector,
  rulesFor,
} from '../../adapters/network/guarded-connector';
import { outgoingRules } from '../../adapters/network/outgoing-rules';
import type { Context } from '../../context';
import {
  type ClaimedDelivery,
  claimDeliveries,
  keepBody,
  settleDelivery,
} from '../../state/deliveries/outbox';
import { composeCallback } from './compose-callback';
import type { CallbackTarget } from './request-callback';

interface DueDelivery extends Due {
  companyId: string;
  claimedUntil: string;
}

/** Requests to one receiver at the same time. */
const PER_QUEUE = 4;

/** Sends deliveries until it is closed. */
export const startDeliveries = (context: Context) => openDeliverer(delivererOf(context));

/** Sends what is due now. @returns how many were delivered */
export const deliverNow = (context: Context) => deliverDue(delivererOf(context));

function delivererOf(context: Context): DelivererOptions<DueDelivery> {
  const rules = outgoingRules(context.config);
  return {
    outbox: outboxOf(context),
    logger: context.logger,
    now: () => context.clock.now(),
    perQueue: PER_QUEUE,
    connect: ({ url, companyId }, signal) => {
      const ofCompany = rulesFor(rules, companyId);
      const plain = refusePlainHttp(url, ofCompany);
      if (plain !== null) return (_target, opened) => opened(new AddressRefusedError(plain), null);
      return createGuardedConnector(ofCompany, signal);
    },
  };
}

function outboxOf(context: Context): Outbox<DueDelivery> {
  return {
    claim: async (options) => {
      const claimed = await claimDeliveries(context.db, options);
      const due = await Promise.all(claimed.map((one) => readDue(context, one)));
      return due.filter((one) => one !== null);
    },
    settle: (due, outcome) => settleDelivery(context.db, due, outcome),
  };
}

/** Gives up a delivery whose address cannot be read, e.g. because the master key was lost. */
async function readDue(context: Context, claimed: ClaimedDelivery): Promise<DueDelivery | null> {
  const { id, companyId, webhookId, queue, attempts, claimedUntil } = claimed;
  const target = openTarget(context, claimed);
  if (target === null) {
    const answer = { status: null, error: 'the address cannot be read', text: '', durationMs: 0 };
    await settleDelivery(context.db, claimed, { ...answer, kind: 'given_up' });
    return null;
  }
  const { url, secret } = target;
  const key = secret === null ? null : signingKey(secret);
  const body = claimed.body ?? (await composeBody(context, id));
  return {
    ...{ id, companyId, webhookId, queue, attempts, claimedUntil, url, body },
    keys: key === null ? [] : [key],
  };
}

async function composeBody({ db, config }: Context, id: string): Promise<string> {
  const body = await composeCallback(db, id, config.publicUrl);
  if (body === null) throw new Error('a delivery without a body is not a callback');
  return keepBody(db, id, body);
}

function openTarget({ secretBox }: Context, claimed: ClaimedDelivery): CallbackTarget | null {
  const { id, companyId, keyId, masterKeyId, wrappedKey, target } = claimed;
  if (!keyId || !masterKeyId || !wrappedKey || !target) return null;
  const key = { id: keyId, companyId, masterKeyId, wrappedKey: new Uint8Array(wrappedKey) };
  try {
    return JSON.parse(secretBox.open(key, { companyId, secretId: id, version: 1 }, target));
  } catch {
    return null;
  }
}
