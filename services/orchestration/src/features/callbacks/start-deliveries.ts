import {
  type DelivererOptions,
  type Due,
  deliverDue,
  type Outbox,
  type Outcome,
  openDeliverer,
} from '@switchyard/deliverer';
import {
  AddressRefusedError,
  createGuardedConnector,
  rulesFor,
} from '@switchyard/runner/network/guarded-connector';
import { errorFields, logRepeated, signingKey } from '@switchyard/server';
import { refusePlainHttp } from '../../adapters/agents/http/plain-http';
import { inTransaction, systemCall } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { countAnswer } from '../../state/deliveries/endpoint-deliveries';
import {
  type ClaimedDelivery,
  claimDeliveries,
  keepBody,
  settleDelivery,
} from '../../state/deliveries/outbox';
import { composeCallback } from './compose-callback';
import { type DeliveryTarget, openTarget } from './delivery-target';
import { outgoingRules } from './outgoing-rules';

interface DueDelivery extends Due {
  companyId: string;
  endpointId: string | null;
  claimedUntil: string;
}

const PER_QUEUE = 4;

export const startDeliveries = (context: Context) => openDeliverer(delivererOf(context));

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
      const due = await Promise.all(claimed.map((one) => tryReadDue(context, one)));
      return due.filter((one) => one !== null);
    },
    settle: (due, outcome) => settle(context, due, outcome),
  };
}

async function settle(context: Context, due: DueDelivery, outcome: Outcome): Promise<void> {
  const { endpointId, companyId } = due;
  await settleDelivery(context.db, due, outcome);
  if (endpointId === null) return;
  await inTransaction(systemCall(context, companyId), async (tx) => {
    const reason = await countAnswer(tx, endpointId, outcome.kind);
    if (reason !== null) await tx.record('endpoint.disabled', endpointId, { reason });
  });
}

async function tryReadDue(context: Context, claimed: ClaimedDelivery): Promise<DueDelivery | null> {
  try {
    return await readDue(context, claimed);
  } catch (error) {
    const fields = { deliveryId: claimed.id, ...errorFields(error) };
    logRepeated(context.logger, 'warn', 'a delivery could not be read', fields);
    return null;
  }
}

/** Fails a delivery whose address cannot be read, e.g. because the master key was lost. */
async function readDue(context: Context, claimed: ClaimedDelivery): Promise<DueDelivery | null> {
  const { id, companyId, webhookId, queue, attempts, claimedUntil, traceContext } = claimed;
  const target = targetOf(context, claimed);
  if (target === null) {
    const answer = {
      status: null,
      error: 'the stored address cannot be decrypted',
      text: '',
      durationMs: 0,
    };
    await settleDelivery(context.db, claimed, { ...answer, kind: 'given_up' });
    return null;
  }
  const { url, secrets } = target;
  const now = context.clock.now().toISOString();
  const keys = secrets
    .filter(({ until }) => until === null || until > now)
    .flatMap(({ secret }) => signingKey(secret) ?? []);
  const body = claimed.body ?? (await composeBody(context, id));
  return {
    ...{ id, companyId, webhookId, queue, attempts, claimedUntil, url, body },
    ...{ keys, owner: companyId, endpointId: claimed.endpointId, traceContext },
  };
}

async function composeBody({ db, config }: Context, id: string): Promise<string> {
  const body = await composeCallback(db, id, config.publicUrl);
  if (body === null) throw new Error(`cannot compose the body: delivery ${id} is not a callback`);
  return keepBody(db, id, body);
}

function targetOf({ secretBox }: Context, claimed: ClaimedDelivery): DeliveryTarget | null {
  const { endpointId, keyId, masterKeyId, wrappedKey, target, ...rest } = claimed;
  if (!keyId || !masterKeyId || !wrappedKey || !target) return null;
  const key = { keyId, masterKeyId, wrappedKey, target };
  return openTarget(secretBox, { ...rest, ...key, id: endpointId ?? claimed.id });
}
