import { ask, type Database, statement } from '@switchyard/db';
import { POD_INSTANCE } from '../../state/runners/pod-instance';
import type { PodClaim } from '../actor';
import { hashToken, newToken } from '../sign-in/tokens';

/**
 * What a run pod shows. The ticket that it is created with names a run and its claim, and is good once and for as long as
 * the pod may take to start; its last part is a secret. It is exchanged for a key that the pod made itself, by which the
 * run protocol knows it from then on: whoever reads the ticket later has nothing.
 */
export interface PodCredential {
  runId: string;
  /** Null with a key, which belongs to whichever claim has it. */
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

/** Hashed with a word that no key begins with: a ticket shown as a key is none. */
const hashTicketSecret = (secret: string) => hashToken(`ticket ${secret}`);

/** A ticket for a claim that is still to be made, and the digest that is stored with the claim. */
export function newTicket() {
  const { token: secret } = newToken();
  const of = ({ id, epoch }: { id: string; epoch: number }) => `syt_${id}.${epoch}.${secret}`;
  return { of, hash: hashTicketSecret(secret) };
}

export async function findPodClaim(db: Database, shown: PodCredential): Promise<PodClaim | null> {
  const [found] = await ask(db, podClaim, { ...shown, instance: POD_INSTANCE });
  return found ? { ...found, hash: shown.hash, isRedeemed: shown.epoch === null } : null;
}

/** A key is known after the end of its run too: the end may be said twice. */
const podClaim = statement('find-claim-of-pod', {
  takes: { runId: 'uuid', epoch: 'int?', hash: 'bytes', instance: 'uuid' },
  gives: { runId: 'uuid', epoch: 'int', companyId: 'uuid' },
  sql: (p) => `
    SELECT id AS "runId", epoch, company_id AS "companyId" FROM heartbeat_run
    WHERE id = ${p.runId} AND ticket_hash = ${p.hash} AND runner_instance = ${p.instance}
      AND (${p.epoch} IS NULL OR (epoch = ${p.epoch} AND status = 'running'
        AND lease_expires_at > clock_timestamp()))`,
});
