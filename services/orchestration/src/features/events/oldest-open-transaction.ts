/**
 * The oldest transaction of this database that is still open, else the next one: as SQL of one row with `xid` and
 * `snapshot`. Transactions before it are over, and what they committed is visible to the statement.
 *
 * Every transaction that is open in the statement's snapshot counts as one of this database unless it is known to be
 * another's: those never write here, and a long one must not hold our events up. One that ends during the look belongs to
 * no known database and counts, which is late but never wrong. So the result may be a little lower in a later statement.
 */
export const OLDEST_OPEN_TRANSACTION = `
  SELECT coalesce(
    (SELECT open.xid FROM pg_snapshot_xip(now_open.snapshot) open(xid)
      WHERE NOT EXISTS (
        SELECT 1 FROM pg_locks l JOIN pg_stat_activity other ON other.pid = l.pid
        WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted
          AND l.transactionid = open.xid::xid
          AND other.datid <> (SELECT oid FROM pg_database WHERE datname = current_database()))
      ORDER BY open.xid LIMIT 1),
    pg_snapshot_xmax(now_open.snapshot)) AS xid, now_open.snapshot
  FROM (SELECT pg_current_snapshot() AS snapshot) now_open`;
