import type { CreatedRunnerView, CreateRunnerBody } from '@switchyard/types';
import type { Request } from 'express';
import { newRunnerToken } from '../../../access/credentials/runner-tokens';
import { assertRecentSignIn } from '../../../access/sign-in/recent-sign-in';
import { type Call, inTransaction } from '../../../kernel/call';
import { insertRunner } from '../../../state/runners/runners';
import { readRunner } from './list-runners';

export async function createRunner(
  call: Call & { request: Request },
  body: CreateRunnerBody,
): Promise<CreatedRunnerView> {
  await assertRecentSignIn(call);
  const { token, hash: tokenHash } = newRunnerToken();
  return inTransaction(call, async (tx) => {
    const id = await insertRunner(tx, { ...body, tokenHash });
    return { ...(await readRunner(tx, tx.companyId, id)), token };
  });
}
