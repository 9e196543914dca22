import type { CreatedRunnerView, CreateRunnerBody } from '@switchyard/types';
import { newRunnerToken } from '../../../access/credentials/runner-tokens';
import { type Call, inTransaction } from '../../../call';
import { insertRunner } from '../../../state/runners/runners';
import { readRunner } from './list-runners';

/** Makes a runner of the company; its token is in this response and nowhere else. @throws ApiError 409 `name_taken` */
export async function createRunner(call: Call, body: CreateRunnerBody): Promise<CreatedRunnerView> {
  const { token, hash: tokenHash } = newRunnerToken();
  return inTransaction(call, async (tx) => {
    const id = await insertRunner(tx, { ...body, tokenHash });
    return { ...(await readRunner(tx, tx.companyId, id)), token };
  });
}
