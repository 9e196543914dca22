import {
  type AppendedRunLogView,
  type HoldSessionBody,
  type RedeemedTicketView,
  type RedeemTicketBody,
  type ReleaseRunBody,
  type ReportCheckBody,
  type ReportUsageBody,
  type ReservedSpendView,
  type ReserveSpendBody,
  RUNNER_PROTOCOL,
  type RunAssignment,
  type RunnerFoldersBody,
  type RunnerFoldersView,
  type RunnerHelloBody,
  type RunnerLeasesBody,
  type RunnerLeasesView,
  type RunnerNextBody,
  type RunnerWelcome,
  type RunnerWork,
  type RunOutcome,
  type SettleSpendBody,
} from '@switchyard/types';
import { OutdatedServer, openServer } from './request';

export type Claim = Pick<RunAssignment, 'runId' | 'epoch' | 'ticket'>;

export interface RunProtocol {
  hello(body: RunnerHelloBody): Promise<RunnerWelcome>;
  next(body: RunnerNextBody, signal: AbortSignal): Promise<RunnerWork>;
  redeem(body: RedeemTicketBody): Promise<RedeemedTicketView>;
  leases(body: RunnerLeasesBody, timeoutMs: number): Promise<RunnerLeasesView>;
  appendLog(claim: Claim, offset: number, content: Buffer): Promise<AppendedRunLogView>;
  reportUsage(claim: Claim, body: ReportUsageBody): Promise<void>;
  reserve(claim: Claim, body: ReserveSpendBody): Promise<ReservedSpendView>;
  settle(claim: Claim, body: SettleSpendBody): Promise<void>;
  holdSession(claim: Claim, body: HoldSessionBody): Promise<void>;
  end(claim: Claim, outcome: RunOutcome): Promise<void>;
  release(claim: Claim, body: ReleaseRunBody): Promise<void>;
  reportCheck(checkId: string, body: ReportCheckBody): Promise<void>;
  folders(body: RunnerFoldersBody): Promise<RunnerFoldersView>;
  close(): void;
}

const TIMEOUT_MS = 15_000;
const POLL_MARGIN_MS = 10_000;

export function openRunProtocol(url: string, token: string): RunProtocol {
  const server = openServer(url, token);
  const post = (path: string, body: object, more: { timeoutMs?: number; signal?: AbortSignal }) =>
    server.exchange({
      method: 'POST',
      path: `/api/runner${path}`,
      body,
      timeoutMs: more.timeoutMs ?? TIMEOUT_MS,
      signal: more.signal,
    });
  const ofRun = (
    method: 'POST' | 'PUT',
    { runId, ticket }: Claim,
    what: string,
    body: object | Buffer | null,
  ) =>
    server.exchange({
      method,
      path: `/api/runner/runs/${runId}/${what}`,
      headers: { 'X-Run-Ticket': ticket },
      body,
      timeoutMs: TIMEOUT_MS,
    });
  return {
    hello: async (body) => assertProtocol((await post('/hello', body, {})) as RunnerWelcome),
    next: async (body, signal) => {
      const timeoutMs = body.waitMs + POLL_MARGIN_MS;
      return (await post('/next', body, { timeoutMs, signal })) as RunnerWork;
    },
    redeem: async (body) => assertProtocol((await post('/redeem', body, {})) as RedeemedTicketView),
    leases: async (body, timeoutMs) =>
      (await post('/leases', body, { timeoutMs })) as RunnerLeasesView,
    appendLog: async (claim, offset, content) =>
      (await ofRun('POST', claim, `log?offset=${offset}`, content)) as AppendedRunLogView,
    reportUsage: async (claim, body) => void (await ofRun('POST', claim, 'usage', body)),
    reserve: async (claim, body) =>
      (await ofRun('POST', claim, 'reserve', body)) as ReservedSpendView,
    settle: async (claim, body) => void (await ofRun('POST', claim, 'settle', body)),
    holdSession: async (claim, body) => void (await ofRun('PUT', claim, 'session', body)),
    end: async (claim, outcome) => void (await ofRun('POST', claim, 'end', { outcome })),
    release: async (claim, body) => void (await ofRun('POST', claim, 'release', body)),
    reportCheck: async (checkId, body) => void (await post(`/checks/${checkId}`, body, {})),
    folders: async (body) => (await post('/folders', body, {})) as RunnerFoldersView,
    close: server.close,
  };
}

/**
 * A server of version 1 sends no `protocol`. The caller retries, because an upgrade soon replaces
 * such a server.
 * @throws OutdatedServer
 */
function assertProtocol<T extends Pick<RunnerWelcome, 'protocol'>>(welcome: T): T {
  const { protocol = 1 } = welcome;
  if (protocol >= RUNNER_PROTOCOL) return welcome;
  const needs = `this runner requires version ${RUNNER_PROTOCOL} or later`;
  throw new OutdatedServer(
    `the server uses version ${protocol} of the runner protocol, but ${needs}: upgrade the API and the workers, or start a runner of the server's version`,
  );
}
