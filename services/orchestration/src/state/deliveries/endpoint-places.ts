import type { Client } from '@switchyard/db';

interface Place {
  id: string;
  read: string | null;
}

const FIND_READ = `
  SELECT e.id, (
    SELECT a.id FROM activity a WHERE a.company_id = e.company_id
      AND (a.transaction_id, a.sequence) <= (e.event_transaction::text::xid8, e.event_sequence)
    ORDER BY a.transaction_id DESC, a.sequence DESC LIMIT 1) AS read
  FROM endpoint e WHERE e.event_transaction::text::xid8 >= pg_current_xact_id()`;

const PLACE = `
  UPDATE endpoint e SET event_transaction = coalesce(a.transaction_id::text::bigint, 0), event_sequence = coalesce(a.sequence, 0)
  FROM jsonb_to_recordset($1::jsonb) AS found (id uuid, read uuid) LEFT JOIN activity a ON a.id = found.read
  WHERE e.id = found.id`;

export async function findPlaces(client: Client): Promise<Place[]> {
  return (await client.query<Place>(FIND_READ)).rows;
}

export async function placeEndpoints(client: Client, places: Place[]): Promise<void> {
  if (places.length > 0) await client.query(PLACE, [JSON.stringify(places)]);
}
