/**
 * SQL of one row (`xid`, `snapshot`): the oldest open transaction of this database, or the next
 * transaction if none is open. A statement that contains it sees the commits of all transactions
 * before `xid`. Ignores other databases, because their long transactions would delay events.
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
