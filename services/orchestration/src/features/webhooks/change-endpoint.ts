import { conflict } from '@switchyard/server';
import type { EndpointView, EndpointWithSecretView, UpdateEndpointBody } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { giveUpDeliveries } from '../../state/deliveries/endpoint-deliveries';
import { assertAddress, openTarget } from '../callbacks/delivery-target';
import { presentPosition } from '../events/read-events';
import { type LockedEndpoint, lockEndpoint, presentEndpoint } from './endpoint';
import { changeEndpoint, deleteEndpointRow } from './endpoint-rows';
import { newSecret, targetColumns } from './target-columns';

const BOTH_MS = 86_400_000;

/**
 * After enabling, deliveries start with the next event; `replay` sends the missed ones.
 * @throws ApiError 400 for a forbidden address
 */
export async function updateEndpoint(
  call: Call,
  endpointId: string,
  { url, status, ...fields }: UpdateEndpointBody,
): Promise<EndpointView> {
  if (url !== undefined) assertAddress(call, 'url', url);
  const position = await presentPosition(call.db, call.companyId);
  return inTransaction(call, async (tx) => {
    const found = await lockEndpoint(tx, endpointId);
    const begins = status === 'enabled' && found.status === 'disabled';
    const ends = status === 'disabled' && found.status === 'enabled';
    await changeEndpoint(tx, endpointId, {
      ...fields,
      ...(url !== undefined && (await moveTarget(tx, found, url))),
      ...(begins && {
        ...{ status, disabledReason: null, failingSince: null },
        ...{ eventTransaction: position.transaction, eventSequence: position.sequence },
      }),
      ...(ends && { status, disabledReason: 'board' }),
    });
    if (ends) await giveUpDeliveries(tx, endpointId);
    const changed = Object.keys({ ...fields, ...(url && { url }), ...(status && { status }) });
    if (changed.length > 0) await tx.record('endpoint.updated', endpointId, { changed });
    return presentEndpoint(await lockEndpoint(tx, endpointId));
  });
}

async function moveTarget(tx: Tx, found: LockedEndpoint, url: string) {
  const { secrets } = targetOf(tx, found);
  return targetColumns(
    tx,
    { id: found.id, secretVersion: found.secretVersion + 1 },
    { url, secrets },
  );
}

export async function rotateEndpointSecret(
  call: Call,
  endpointId: string,
): Promise<EndpointWithSecretView> {
  const secret = newSecret();
  return inTransaction(call, async (tx) => {
    const found = await lockEndpoint(tx, endpointId);
    const { url, secrets } = targetOf(tx, found);
    const until = new Date(tx.context.clock.now().getTime() + BOTH_MS).toISOString();
    const previous = secrets.slice(0, 1).map((one) => ({ ...one, until }));
    const target = { url, secrets: [{ secret, until: null }, ...previous] };
    const place = { id: found.id, secretVersion: found.secretVersion + 1 };
    await changeEndpoint(tx, endpointId, await targetColumns(tx, place, target));
    await tx.record('endpoint.rotated', endpointId);
    return { ...presentEndpoint(await lockEndpoint(tx, endpointId)), secret };
  });
}

function targetOf({ context }: Tx, found: LockedEndpoint) {
  const target = openTarget(context.secretBox, found);
  if (target) return target;
  throw conflict(
    'conflict',
    'the key of this endpoint is lost: delete the endpoint and create it again',
  );
}

export async function deleteEndpoint(call: Call, endpointId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const { host } = await lockEndpoint(tx, endpointId);
    await deleteEndpointRow(tx, endpointId);
    await tx.record('endpoint.deleted', endpointId, { host });
  });
}
