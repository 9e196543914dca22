import type { Pool, PoolClient } from 'pg';

export interface BorrowedConnection {
  client: PoolClient;
  /** Gives it back once; one that is lost, or still in a transaction, is closed instead of used again. */
  giveBack(): void;
  /** Closes it, whatever it is at: what was not answered yet may have begun a transaction. */
  drop(): void;
}

export async function borrowConnection(pool: Pool): Promise<BorrowedConnection> {
  const client = await pool.connect();
  let isBorrowed = true;
  // The statement that was under way fails with the same error.
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
    giveBack: () => release(client.getTransactionStatus() !== 'I'),
    drop: () => release(true),
  };
}
