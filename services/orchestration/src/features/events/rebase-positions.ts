import { advance, type Client } from '@switchyard/db';
import { findPlaces, placeEndpoints } from '../../state/deliveries/endpoint-places';

const SEQUENCE = 'activity_sequence_seq';

const MOVE = `
  UPDATE activity SET transaction_id = pg_current_xact_id(), sequence = last.sequence + moved.rank
  FROM (SELECT id, row_number() OVER (ORDER BY transaction_id, sequence) AS rank FROM activity
      WHERE transaction_id >= pg_current_xact_id()) moved,
    (SELECT max(sequence) AS sequence FROM activity) last
  WHERE activity.id = moved.id`;

/**
 * Makes restored activity older than any activity that this cluster will write. Rows with a
 * transaction number that this cluster has not reached would never be read, so they get the current
 * transaction's number and keep their order.
 */
export async function rebasePositions(client: Client): Promise<void> {
  const endpoints = await findPlaces(client);
  await moveActivity(client);
  await placeEndpoints(client, endpoints);
}

async function moveActivity(client: Client): Promise<void> {
  const { rowCount } = await client.query(MOVE);
  if (!rowCount) return;
  const { rows } = await client.query<{ last: string }>(
    'SELECT max(sequence)::text AS last FROM activity',
  );
  await advance(client, SEQUENCE, BigInt(rows[0]?.last ?? 0));
}
