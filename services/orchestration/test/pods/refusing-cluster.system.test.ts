import { until } from '@switchyard/testing';
import { useHarness } from '../harness';
import { WITH_RUNNERS } from '../runner-client';
import { idleKubelet, usePlacement } from './placement-harness';
import type { Fault } from './scripted-cluster';

const refused = (status: number, reason: string, message: string): Fault => ({
  status,
  reason,
  message,
});

describe('run pods in a cluster', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const placement = usePlacement(harness, idleKubelet);
  const { place, queue, row } = placement;
  const isPlaced = () => until('the tickets', () => placement.cluster.secrets.size === 1);

  it('start once per claim, however many workers there are', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => queue()));
    for (let worker = 0; worker < 4; worker++) place();
    await until('the tickets', () => placement.cluster.secrets.size === ids.length);
    const { created } = placement.cluster;
    expect([...created].sort()).toEqual(ids.map((id) => `run-${id}-1`).sort());
    for (const id of ids) expect(await row(id)).toMatchObject({ attempt: 1, epoch: 1 });
  });

  it('do not exceed RUN_POD_LIMIT, and start the next pod when a run ends', async () => {
    for (let at = 0; at < 3; at++) await queue();
    place({ limit: 2 });
    await until('the tickets', () => placement.cluster.secrets.size === 2);
    const [first] = placement.cluster.pods.keys();
    const id = first?.slice('run-'.length, -'-1'.length) ?? '';
    const over = { status: 'succeeded', finishedAt: new Date() } as const;
    await harness.db.heartbeatRun.update({ where: { id }, data: over });
    await until('the pods', () => placement.cluster.created.length === 3);
    expect(placement.cluster.pods.size).toBeLessThanOrEqual(3);
  });

  it.each<[string, RegExp, Fault]>([
    [
      'a quota',
      /^POST .*pods$/,
      refused(403, 'Forbidden', 'pods "run" is forbidden: exceeded quota: runs'),
    ],
    ['a denied admission', /^POST .*pods$/, refused(403, 'Forbidden', 'denied by policy')],
    ['a busy API server', /^POST .*pods$/, refused(429, 'TooManyRequests', 'try again')],
    ['a failing API server', /^POST .*pods$/, refused(500, 'InternalError', 'etcd is away')],
    ['a refused Secret', /^POST .*secrets$/, refused(403, 'Forbidden', 'not allowed')],
    ['a missing template', /^GET .*podtemplates/, refused(404, 'NotFound', 'not found')],
  ])('start later, without losing an attempt, despite %s', async (_, matches, fault) => {
    placement.cluster.fail(matches, fault, 3);
    place();
    const id = await queue();
    await isPlaced();
    expect(await row(id)).toMatchObject({ attempt: 1, status: 'running' });
    expect(placement.cluster.pods.size).toBe(1);
    expect([...placement.cluster.secrets.keys()]).toEqual([...placement.cluster.pods.keys()]);
  });

  it.each<[string, RegExp, Fault]>([
    ['the response about a created pod is lost', /^POST .*pods$/, 'breaks after'],
    ['the request for a pod is lost', /^POST .*pods$/, 'breaks before'],
    ['the response about a created Secret is lost', /^POST .*secrets$/, 'breaks after'],
  ])('start only once if %s', async (_, matches, fault) => {
    placement.cluster.fail(matches, fault);
    place();
    const id = await queue();
    await isPlaced();
    expect(placement.cluster.created).toEqual([`run-${id}-1`]);
  });

  it('start with the new token after the platform has replaced the service account’s token', async () => {
    place();
    placement.cluster.rotateToken({ isTold: false });
    const id = await queue();
    await until('a request', () => placement.cluster.requests.length > 0);
    placement.cluster.writeToken();
    await isPlaced();
    expect(await row(id)).toMatchObject({ attempt: 1 });
  });

  it('get a new name if a pod from before a database restore already has their name', async () => {
    const id = await queue();
    const other = placement.place();
    await isPlaced();
    await other.close();
    const pod = placement.cluster.pods.get(`run-${id}-1`);
    Object.assign(pod?.metadata.labels ?? {}, { 'app.kubernetes.io/instance': 'before' });
    const data = { status: 'queued', epoch: 0, runnerInstance: null, ticketHash: null } as const;
    await harness.db.heartbeatRun.update({ where: { id }, data });
    place();
    await until('the pods', () => placement.cluster.pods.has(`run-${id}-2`));
    expect(await row(id)).toMatchObject({ attempt: 1 });
    await until('the pods', () => placement.cluster.pods.size === 1);
  });
});
