import { ask, type Database, statement } from '@switchyard/db';
import type { PodClaim } from '../../kernel/actor';
import { POD_INSTANCE } from '../../state/runs/claims/pod-instance';
import { hashToken, newToken } from '../sign-in/tokens';

/**
 * A pod starts with a ticket that is valid once and for a limited time. It exchanges the ticket for
 * a key that it has generated, so a ticket that leaks later is worthless.
 */
export interface PodCredential {
  runId: string;
  epoch: number | null;
  hash: Uint8Array<ArrayBuffer>;
}

const TICKET = /^syt_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.([\w-]{43})$/;
const KEY = /^syk_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})$/;

export function readPodCredential(credential: string): PodCredential | null {
  const [, ticketRun, epoch, secret] = TICKET.exec(credential) ?? [];
  if (ticketRun && secret) {
    return { runId: ticketRun, epoch: Number(epoch), hash: hashTicketSecret(secret) };
  }
  const [, keyRun, key] = KEY.exec(credential) ?? [];
  return keyRun && key ? { runId: keyRun, epoch: null, hash: hashToken(key) } : null;
}

const hashTicketSecret = (secret: string) => hashToken(`ticket ${secret}`);

export function newTicket() {
  const { token: secret } = newToken();
  const of = ({ id, epoch }: { id: string; epoch: number }) => `syt_${id}.${epoch}.${secret}`;
  return { of, hash: hashTicketSecret(secret) };
}

export async function findPodClaim(db: Database, shown: PodCredential): Promise<PodClaim | null> {
  const [found] = await ask(db, podClaim, { ...shown, instance: POD_INSTANCE });
  return found ? { ...found, hash: shown.hash, isRedeemed: shown.epoch === null } : null;
}

/** A key stays valid after the end of its run, because the end may be reported twice. */
const podClaim = statement('find-claim-of-pod', {
  takes: { runId: 'uuid', epoch: 'int?', hash: 'bytes', instance: 'uuid' },
  gives: { runId: 'uuid', epoch: 'int', companyId: 'uuid' },
  sql: (p) => `
    SELECT id AS "runId", epoch, company_id AS "companyId" FROM heartbeat_run
    WHERE id = ${p.runId} AND ticket_hash = ${p.hash} AND runner_instance = ${p.instance}
      AND (${p.epoch} IS NULL OR (epoch = ${p.epoch} AND status = 'running'
        AND lease_expires_at > clock_timestamp()))`,
});
