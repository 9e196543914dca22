import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { RoutineRunView, RoutineView, SigningMode } from '@switchyard/types';
import { useAuthenticatedHarness } from './authenticated-harness';

const DOCUMENT = readFileSync(resolve(__dirname, '../../../docs/routines.md'), 'utf8');

function printed(heading: string, index = 0): string {
  const section = DOCUMENT.split(/^#+ (?=[A-Z a-z0-9]+$)/m).find((text) =>
    text.startsWith(`${heading}\n`),
  );
  const block = [...(section ?? '').matchAll(/^```\w+\n([\s\S]*?)^```$/gm)][index];
  if (!block) throw new Error(`docs/routines.md has no program ${index} below ${heading}`);
  return block[1] as string;
}

const isThere = (command: string) => spawnSync(command, ['--version']).error === undefined;
const NODE = [process.execPath, '--input-type=module', '-e'];

const SENDERS = [
  ['curl', 'curl', 0, ['sh', '-c'], 'hmac_sha256'],
  ['curl', 'curl', 1, ['sh', '-c'], 'bearer'],
  ['Node', process.execPath, 0, NODE, 'hmac_sha256'],
  ['Python', 'python3', 0, ['python3', '-c'], 'hmac_sha256'],
] as const;

describe('the programs in docs/routines.md', () => {
  const harness = useAuthenticatedHarness();

  const trigger = async (signingMode: SigningMode) => {
    const routine = await harness.build.routine();
    const made = await harness.build.trigger(routine.id, { kind: 'webhook', signingMode });
    const fireUrl = `${harness.url}/api/routine-triggers/public/${made.publicId}/fire`;
    return { routine, env: { FIRE_URL: fireUrl, SECRET: made.secret } };
  };
  const run = async (command: readonly string[], program: string, env: Record<string, string>) => {
    const [file, ...args] = command;
    const options = { env: { PATH: process.env.PATH, ...env } };
    return promisify(execFile)(file as string, [...args, program], options);
  };
  const runsOf = async ({ id }: RoutineView) =>
    (await harness.founding.get(`/api/routines/${id}/runs`).expect(200)).body as RoutineRunView[];

  for (const [heading, command, index, how, signingMode] of SENDERS) {
    const name = `${heading}, ${signingMode}`;
    if (!isThere(command)) {
      it(`cannot be tested here, because ${command} is not installed: ${name}`, () => undefined);
      continue;
    }

    it(`fire a routine: ${name}`, async () => {
      const { routine, env } = await trigger(signingMode);
      const { stdout } = await run(how, printed(heading, index), env);
      const fired = JSON.parse(stdout) as RoutineRunView;
      expect(fired).toMatchObject({ source: 'webhook', payload: { week: 47 } });
      expect(await runsOf(routine)).toMatchObject([{ id: fired.id }]);
    });

    it(`print the reason for a rejection: ${name}`, async () => {
      const { routine, env } = await trigger(signingMode);
      const wrong = { ...env, SECRET: 'not the secret of this trigger' };
      const failure = await run(how, printed(heading, index), wrong).then(
        () => null,
        (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
      );
      expect(failure).toContain('"invalid_signature"');
      expect(await runsOf(routine)).toEqual([]);
    });
  }

  it('create a trigger, fire it twice, and wait for the end of the coalesced firing', async () => {
    const routine = await harness.build.routine();
    const { body: write } = await harness.founding
      .post('/api/auth/tokens')
      .send({ name: 'writes', scope: 'write' })
      .expect(201);
    const { body: read } = await harness.founding
      .post('/api/auth/tokens')
      .send({ name: 'reads', scope: 'read' })
      .expect(201);
    const create = printed('Firing a webhook').replace(
      'curl ',
      'curl -H "Authorization: Bearer $TOKEN" ',
    );
    const API = `${harness.url}/api`;
    const made = await run(['sh', '-c'], create, {
      API,
      ROUTINE: routine.id,
      TOKEN: write.token,
    });
    const { fireUrl, secret } = JSON.parse(made.stdout);
    const env = { FIRE_URL: fireUrl.replace(/^.*(?=\/api)/, harness.url), SECRET: secret };
    const fire = () => run(['sh', '-c'], printed('curl'), env);
    const first = JSON.parse((await fire()).stdout) as RoutineRunView;
    const { stdout: RUN } = await run(NODE, printed('Node').replace('47', '48'), env);
    expect(JSON.parse(RUN)).toMatchObject({
      status: 'coalesced',
      activeRoutineRunId: first.id,
    });
    const wait = printed('Waiting without n8n').replace('sleep 10', 'sleep 0.1');
    const waiting = run(['sh', '-c'], wait, { API, RUN, TOKEN: read.token });
    const where = { id: first.linkedIssueId as string };
    await harness.db.issue.update({ where, data: { status: 'in_review' } });
    await harness.founding.patch(`/api/issues/${where.id}`).send({ status: 'done' }).expect(200);
    expect((await waiting).stdout.trim()).toBe('completed');
  });
});
