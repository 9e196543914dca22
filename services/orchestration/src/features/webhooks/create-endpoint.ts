import { newId } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { CreateEndpointBody, EndpointWithSecretView } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { assertAddress } from '../callbacks/delivery-target';
import { presentPosition } from '../events/read-events';
import { lockEndpoint, presentEndpoint } from './endpoint';
import { insertEndpoint } from './endpoint-rows';
import { newSecret, targetColumns } from './target-columns';

const MOST = 50;

/**
 * Only this response contains the secret.
 * @throws ApiError 400 for a forbidden address, 409 at the company's limit
 */
export async function createEndpoint(
  call: Call,
  { url, secret: given, ...fields }: CreateEndpointBody,
): Promise<EndpointWithSecretView> {
  assertAddress(call, 'url', url);
  const secret = newSecret(given);
  const position = await presentPosition(call.db, call.companyId);
  return inTransaction(call, async (tx) => {
    await assertRoom(tx);
    const id = newId();
    const target = { url, secrets: [{ secret, until: null }] };
    await insertEndpoint(tx, id, {
      ...fields,
      ...(await targetColumns(tx, { id, secretVersion: 1 }, target)),
      eventTransaction: position.transaction,
      eventSequence: position.sequence,
    });
    const made = presentEndpoint(await lockEndpoint(tx, id));
    await tx.record('endpoint.created', id, { host: made.host, events: made.events });
    return { ...made, secret };
  });
}

async function assertRoom({ prisma, companyId }: Tx): Promise<void> {
  if ((await prisma.endpoint.count({ where: { companyId } })) < MOST) return;
  throw conflict('conflict', `a company may have at most ${MOST} endpoints: delete one first`, {
    limit: MOST,
  });
}
