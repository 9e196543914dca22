import { newId } from '@switchyard/db';
import type { AgentDetailView, ErrorCode } from '@switchyard/types';
import jwt from 'jsonwebtoken';
import { signRunToken } from '../src/access/run-token';
import type { Harness } from './harness';
import type { Side } from './world';

export interface Caller {
  name: string;
  /**
   * The actor that the credential authenticates; null if the request must be rejected with
   * `refusal`.
   */
  as: 'board' | 'agent' | 'colleague' | 'stranger' | null;
  authorization?: string;
  refusal?: ErrorCode;
}

type Needs = Pick<Harness, 'api' | 'build' | 'db' | 'config'>;

const refused = (name: string, authorization: string, refusal: ErrorCode): Caller => ({
  name,
  as: null,
  authorization,
  refusal,
});

async function badTokens({ build, config, db }: Needs, { agent, colleague, ids }: Side) {
  const { id: agentId, companyId } = agent;
  const { runTokenSecret: secret } = config;
  const live = { runId: ids.runId, agentId, companyId, epoch: 1 };
  const ended = await build.liveRun(agent);
  await build.endLiveRun(ended.id);
  const outdated = await build.liveRun(agent);
  await db.heartbeatRun.update({ where: { id: outdated.id }, data: { epoch: 2 } });
  const signed = (claims: typeof live, lifetimeSec = 3_600, by = secret) =>
    `Bearer ${signRunToken(by, claims, lifetimeSec)}`;
  const claims = { company_id: companyId, run_id: live.runId, epoch: 1 };
  const like = { subject: agentId, issuer: 'switchyard', expiresIn: 3_600 } as const;
  const unsigned = jwt.sign(claims, '', { ...like, audience: 'switchyard-api', algorithm: 'none' });
  const misdirected = jwt.sign(claims, secret, { ...like, audience: 'another' });
  return [
    refused('the token of an ended run', ended.authorization, 'token_expired'),
    refused('a token of an outdated epoch', outdated.authorization, 'token_expired'),
    refused('an expired run token', signed(live, -10), 'token_expired'),
    refused(
      'a run token for another agent',
      signed({ ...live, agentId: colleague.id }),
      'token_expired',
    ),
    refused('a token of an unknown run', signed({ ...live, runId: newId() }), 'token_expired'),
    refused('a token of another secret', signed(live, 3_600, `${secret}!`), 'unauthenticated'),
    refused('a token with alg none', `Bearer ${unsigned}`, 'unauthenticated'),
    refused('a token of another audience', `Bearer ${misdirected}`, 'unauthenticated'),
  ];
}

async function keyOfTerminated({ api, build }: Needs, side: Side): Promise<string> {
  const agent = await build.agent({ companyId: side.agent.companyId });
  const key = await build.apiKey(agent.id);
  await api.post(`/api/agents/${agent.id}/terminate`).expect(200);
  return key;
}

export async function buildCallers(harness: Needs, own: Side, foreign: Side): Promise<Caller[]> {
  const { build, config } = harness;
  const { agent, colleague, ids } = own;
  const { id: agentId, companyId } = agent;
  const claims = { runId: ids.runId, agentId, companyId, epoch: 1 };
  const runToken = signRunToken(config.runTokenSecret, claims, 3_600);
  const key = (of: AgentDetailView) => build.apiKey(of.id);
  const terminated = await keyOfTerminated(harness, own);
  return [
    { name: 'no credential', as: 'board' },
    { name: 'an API key', as: 'agent', authorization: await key(agent) },
    { name: 'a run token', as: 'agent', authorization: `Bearer ${runToken}` },
    { name: "a colleague's key", as: 'colleague', authorization: await key(colleague) },
    { name: 'a key elsewhere', as: 'stranger', authorization: await key(foreign.agent) },
    refused('a garbage credential', 'Bearer garbage', 'unauthenticated'),
    refused('a garbage key', `Bearer swy_${'x'.repeat(43)}`, 'unauthenticated'),
    refused('another scheme', 'Basic dXNlcjpwYXNz', 'unauthenticated'),
    refused('a scheme alone', 'Bearer', 'unauthenticated'),
    refused('two credentials', 'Bearer one two', 'unauthenticated'),
    refused('the key of a terminated agent', terminated, 'unauthenticated'),
    ...(await badTokens(harness, own)),
  ];
}
