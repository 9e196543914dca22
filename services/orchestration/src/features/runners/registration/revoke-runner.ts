import { type Call, inTransaction } from '../../../kernel/call';
import { revokeRunner as revoke } from '../../../state/runners/runners';

export async function revokeRunner(call: Call, runnerId: string): Promise<void> {
  await inTransaction(call, (tx) => revoke(tx, runnerId));
}
