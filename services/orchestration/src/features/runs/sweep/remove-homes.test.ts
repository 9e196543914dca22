import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@switchyard/db';
import { useHarness } from '../../../../test/harness';
import { prune } from '../../../work/retention';

describe('home folders of agents', () => {
  const harness = useHarness();

  it('disappear when the agent is terminated and its last run has ended, while other folders stay', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const [gone, running, idle, paused] = await Promise.all(
      Array.from({ length: 4 }, () => build.agent({ companyId })),
    );
    const agents = [gone, running, idle, paused].map((agent) => agent?.id as string);
    const stranger = newId();
    const root = join(harness.config.dataDir, 'homes', companyId);
    for (const name of [...agents, stranger, 'not-an-agent']) {
      await mkdir(join(root, name, '.tool'), { recursive: true });
      await writeFile(join(root, name, '.tool', 'sign-in'), 'canary');
    }
    const run = await build.liveRun(running);
    await harness.api.post(`/api/agents/${paused?.id}/pause`).expect(200);
    for (const id of agents.slice(0, 2)) {
      await harness.api.post(`/api/agents/${id}/terminate`).expect(200);
    }
    const left = async () => (await readdir(root)).sort();
    await prune(harness.context);
    expect(await left()).toEqual([...agents.slice(1), stranger, 'not-an-agent'].sort());
    const data = { status: 'cancelled', finishedAt: new Date() };
    await harness.db.heartbeatRun.update({ where: { id: run.id }, data });
    await prune(harness.context);
    expect(await left()).toEqual([...agents.slice(2), stranger, 'not-an-agent'].sort());
  });
});
