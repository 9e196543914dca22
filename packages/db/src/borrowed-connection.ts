import type { Pool, PoolClient } from 'pg';

export interface BorrowedConnection {
  client: PoolClient;
  returnToPool(): void;
  /** Closes the connection: a statement without a reply may have started a transaction. */
  drop(): void;
}

export async function borrowConnection(pool: Pool): Promise<BorrowedConnection> {
  const client = await pool.connect();
  let isBorrowed = true;
  const ignore = () => undefined;
  client.on('error', ignore);
  const release = (isClosed: boolean) => {
    if (!isBorrowed) return;
    isBorrowed = false;
    client.off('error', ignore);
    client.release(isClosed);
  };
  return {
    client,
    returnToPool: () => release(client.getTransactionStatus() !== 'I'),
    drop: () => release(true),
  };
}
