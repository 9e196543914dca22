import type { Pool, PoolClient } from 'pg';

export interface BorrowedConnection {
  client: PoolClient;
  /** Gives it back once; one that is lost, or still in a transaction, is closed instead of used again. */
  giveBack(): void;
}

export async function borrowConnection(pool: Pool): Promise<BorrowedConnection> {
  const client = await pool.connect();
  let isBorrowed = true;
  // The statement that was under way fails with the same error.
  const ignore = () => undefined;
  client.on('error', ignore);
  return {
    client,
    giveBack: () => {
      if (!isBorrowed) return;
      isBorrowed = false;
      client.off('error', ignore);
      client.release(client.getTransactionStatus() !== 'I');
    },
  };
}
