import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { logRepeated } from '@switchyard/server/log-repeated';
import type { Logger } from '@switchyard/server/logger';
import type { RedeemedTicketView } from '@switchyard/types';
import { type Execution, executeRun } from './execute/execute-run';
import { createHeldRuns, type HeldRuns } from './held-runs';
import { openJournal } from './processes/journal';
import { failureFields, Refused } from './protocol/request';
import { retryUntilAccepted } from './protocol/retry-until-accepted';
import { openRunProtocol, type RunProtocol } from './protocol/run-protocol';
import { renewLeases } from './renew-leases';
import { type DrainDeadlines, drain } from './start-runner';

export interface OneRunOptions extends Omit<Execution, 'protocol' | 'journal'> {
  url: string;
  ticketFile: string;
  logger: Logger;
}

export interface OneRun {
  ended: Promise<void>;
  close(deadlines: DrainDeadlines): Promise<void>;
}

/**
 * First exchanges the ticket for a new key, because the cluster has stored the ticket. `ended`
 * rejects with Refused if the ticket is used or expired, or the claim has ended.
 */
export function startOneRun(options: OneRunOptions): OneRun {
  const stopping = new AbortController();
  const runs = createHeldRuns(() => undefined);
  const ended = work(options, runs, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    ended,
    close: async (deadlines) => {
      stopping.abort();
      await drain(runs, deadlines);
      await ended;
    },
  };
}

async function work(options: OneRunOptions, runs: HeldRuns, signal: AbortSignal): Promise<void> {
  const { url, logger, places } = options;
  const ticket = (await readFile(options.ticketFile, 'utf8')).trim();
  const runId = /^syt_([^.]+)\./.exec(ticket)?.[1];
  if (!runId) throw new Error('RUNNER_TICKET_FILE must contain the ticket of a run');
  // The path contains the host name, because pods of one agent may share a volume.
  const notes = join(places.dataDir, 'runner', `pod-${hostname()}`);
  const journal = await openJournal(notes);
  const key = randomBytes(32).toString('base64url');
  const protocol = heldOnly(openRunProtocol(url, `syk_${runId}.${key}`));
  const redeemed = await redeem({ url, ticket, key, logger }, protocol, signal);
  const { assignment, instance, leaseMs, heartbeatMs } = redeemed;
  logger.info('run received', { runId });
  const lose = () => {
    for (const run of runs.all()) run.abort('lost');
  };
  const known = { protocol, logger, instance, runs, leaseMs, heartbeatMs };
  const leases = renewLeases({ ...known, onUnknown: lose, onReplaced: lose });
  runs.hold(assignment, (run) => {
    if (signal.aborted) run.abort('handed_over');
    return executeRun({ ...options, protocol, journal }, assignment, run);
  });
  await runs.ended();
  await leases.close();
  protocol.close();
  await journal.close();
  await rm(notes, { recursive: true, force: true });
}

/** After a lost response, tries the new key: if the ticket has been used, the key works. */
async function redeem(
  { url, ticket, key, logger }: { url: string; ticket: string; key: string; logger: Logger },
  protocol: Pick<RunProtocol, 'redeem'>,
  signal: AbortSignal,
): Promise<RedeemedTicketView> {
  const first = openRunProtocol(url, ticket);
  let tries = 0;
  const exchange = async () => {
    tries++;
    try {
      return await first.redeem({ key });
    } catch (error) {
      if (!(error instanceof Refused) || tries === 1) throw error;
      return protocol.redeem({ key });
    }
  };
  const redeemed = await retryUntilAccepted(exchange, signal, (error) =>
    logRepeated(
      logger,
      'warn',
      `cannot redeem the ticket at ${url}; retrying`,
      failureFields(error),
    ),
  );
  first.close();
  return redeemed;
}

const heldOnly = (protocol: RunProtocol): RunProtocol => ({
  ...protocol,
  leases: async (body, timeoutMs) => {
    try {
      return await protocol.leases(body, timeoutMs);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      return { runs: body.runs.map(({ runId }) => ({ runId, state: 'lost' as const })) };
    }
  },
});
