import { announce, type Database, newId } from '@switchyard/db';
import { INSERT_ACTIVITY } from '../features/activity/activity-sql';

/** A key that is used from everywhere fills no table: so many addresses of a day are recorded. */
const MAX_ADDRESSES = 20;

/** Whether the use of `k` from the address `$2` is yet to be recorded: once a day for each address. */
export const IS_UNRECORDED = `(k.recorded_since IS NULL OR k.recorded_since < now() - interval '1 day'
  OR ($2::text <> ALL (k.recorded_addresses) AND cardinality(k.recorded_addresses) < ${MAX_ADDRESSES}))`;

/** Of any number of requests at once one records it: the others find the row changed. */
const RECORD = `
  WITH used AS (
    UPDATE agent_key k SET
      recorded_addresses = CASE WHEN k.recorded_since > now() - interval '1 day'
        THEN k.recorded_addresses || $2::text ELSE ARRAY[$2::text] END,
      recorded_since = CASE WHEN k.recorded_since > now() - interval '1 day'
        THEN k.recorded_since ELSE now() END
    WHERE k.id = $1::uuid AND ${IS_UNRECORDED}
    RETURNING k.id, k.company_id, k.agent_id, k.name, k.prefix
  )
  ${INSERT_ACTIVITY}
  SELECT $3::uuid, company_id, 'agent', agent_id::text, NULL, 'agent_key.used', 'agent_key', id::text,
    jsonb_build_object('agentId', agent_id, 'name', name, 'prefix', prefix, 'address', $2::text)
  FROM used RETURNING company_id`;

/** Puts the first use of a key, of a day and from an address, into the activity. */
export async function recordKeyUse(db: Database, keyId: string, address: string): Promise<void> {
  const values = [keyId, address, newId()];
  const [row] = await db.rows<{ company_id: string }>('record-key-use', RECORD, values);
  if (row) announce(db, row.company_id);
}
