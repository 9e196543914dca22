import {
  createClient,
  followActivity,
  listAll,
  RefusedError,
  unwrap,
  waitForRun,
} from '@switchyard/client';
import { useHarness } from './harness';
import { SUCCEEDED } from './scripted-adapter';

const refusal = (error: unknown) => (error instanceof RefusedError ? error.code : error);

function breakable() {
  const open = new Set<AbortController>();
  const state = { refuseNext: 0, calls: 0 };
  return {
    state,
    breakAll: () => {
      for (const connection of open) connection.abort(new TypeError('terminated'));
      open.clear();
    },
    fetch: async (request: Request): Promise<Response> => {
      state.calls += 1;
      if (state.refuseNext > 0) {
        state.refuseNext -= 1;
        throw new TypeError('fetch failed');
      }
      const connection = new AbortController();
      open.add(connection);
      return fetch(request, { signal: AbortSignal.any([request.signal, connection.signal]) });
    },
  };
}

describe('helpers of the client', () => {
  const harness = useHarness();
  const board = () => createClient({ baseUrl: harness.url });

  const invoke = async () => {
    const agent = await harness.build.agent({ adapterType: 'scripted', adapterConfig: {} });
    const params = { path: { agentId: agent.id } };
    const run = await unwrap(
      board().POST('/api/agents/{agentId}/heartbeat/invoke', { params, body: {} }),
    );
    return { agent, run };
  };

  describe('waitForRun', () => {
    it('returns the run when it has ended, even if some requests fail in the meantime', async () => {
      const { agent, run } = await invoke();
      harness.scripted.on(agent.id, () => SUCCEEDED);
      const { fetch, state } = breakable();
      const client = createClient({ baseUrl: harness.url, fetch });
      let waited = false;
      const ended = waitForRun(client, run.id, { intervalMs: 5 }).finally(() => {
        waited = true;
      });
      while (state.calls === 0) await new Promise(setImmediate);
      const before = state.calls;
      while (state.calls <= before + 1) await new Promise(setImmediate);
      expect(waited).toBe(false);
      state.refuseNext = 2;
      await harness.drain();
      expect(await ended).toMatchObject({ id: run.id, status: 'succeeded' });
    });

    it('throws the abort reason of its signal', async () => {
      const { run } = await invoke();
      const stop = new AbortController();
      const ended = waitForRun(board(), run.id, { signal: stop.signal });
      stop.abort(new Error('enough'));
      await expect(ended).rejects.toThrow('enough');
      await expect(waitForRun(board(), run.id, { signal: stop.signal })).rejects.toThrow('enough');
    });

    it('throws the API’s refusal, or the connection error if no request has succeeded', async () => {
      const unknown = '00000000-0000-7000-8000-000000000000';
      expect(await waitForRun(board(), unknown).catch(refusal)).toBe('not_found');
      const nobody = createClient({ baseUrl: 'http://127.0.0.1:1' });
      await expect(waitForRun(nobody, unknown)).rejects.toThrow('fetch failed');
    });
  });

  describe('listAll', () => {
    it('yields all pages in order, and requests no unneeded page', async () => {
      const { id: companyId } = await harness.build.company();
      const titles = ['a', 'b', 'c', 'd', 'e'];
      for (const title of titles) await harness.build.issue({ companyId, title });
      const { fetch, state } = breakable();
      const client = createClient({ baseUrl: harness.url, fetch });
      const path = '/api/companies/{companyId}/issues' as const;
      const params = { path: { companyId }, query: { limit: 2 } };
      const found: string[] = [];
      for await (const { title } of listAll(client, path, { params })) found.push(title);
      expect(found.sort()).toEqual(titles);
      expect(state.calls).toBe(3);
      for await (const _issue of listAll(client, path, { params })) break;
      expect(state.calls).toBe(4);
    });

    it('yields nothing for an empty list, and throws if the API refuses the call', async () => {
      const { id: companyId } = await harness.build.company();
      const path = '/api/companies/{companyId}/agents' as const;
      expect(await listAll(board(), path, { params: { path: { companyId } } }).next()).toEqual({
        done: true,
        value: undefined,
      });
      const stranger = createClient({ baseUrl: harness.url, token: 'nonsense' });
      const refused = listAll(stranger, path, { params: { path: { companyId } } }).next();
      expect(await refused.catch(refusal)).toBe('unauthenticated');
    });

    it('compiles only if the path returns a list and the parameters belong to the path', () => {
      // @ts-expect-error one issue is no list
      listAll(board(), '/api/issues/{issueId}', { params: { path: { issueId: 'A-1' } } });
      // @ts-expect-error the path has a company
      listAll(board(), '/api/companies/{companyId}/agents', { params: {} });
      const params = { path: { companyId: 'x' }, query: { colour: 'red' } };
      // @ts-expect-error no such query
      listAll(board(), '/api/companies/{companyId}/agents', { params });
    });
  });

  describe('followActivity', () => {
    it('neither loses nor repeats an event when the connection breaks', async () => {
      const { id: companyId } = await harness.build.company();
      const { fetch, breakAll, state } = breakable();
      const client = createClient({ baseUrl: harness.url, fetch });
      const events = followActivity(client, companyId, { lastEventId: await begin(companyId) });
      const ids: string[] = [];
      const next = async () => {
        const { value } = await events.next();
        ids.push(value?.activity.entityId ?? 'none');
      };
      const made = [];
      made.push(await harness.build.goal({ companyId }));
      await next();
      breakAll();
      state.refuseNext = 1;
      made.push(await harness.build.goal({ companyId }), await harness.build.goal({ companyId }));
      await next();
      await next();
      await events.return();
      expect(ids).toEqual(made.map(({ id }) => id));
    });

    it('throws the API’s refusal, and the abort reason of its signal', async () => {
      const { id: companyId } = await harness.build.company();
      const stranger = createClient({ baseUrl: harness.url, token: 'nonsense' });
      const refused = followActivity(stranger, companyId).next();
      expect(await refused.catch(refusal)).toBe('unauthenticated');
      const stop = new AbortController();
      const pending = followActivity(board(), companyId, { signal: stop.signal }).next();
      stop.abort(new Error('enough'));
      await expect(pending).rejects.toThrow('enough');
    });
  });

  async function begin(companyId: string): Promise<string> {
    const stop = new AbortController();
    const response = await fetch(`${harness.url}/api/companies/${companyId}/events`, {
      signal: stop.signal,
    });
    const { value } = (await response.body?.getReader().read()) ?? {};
    stop.abort();
    return /^id: (.+)$/m.exec(new TextDecoder().decode(value))?.[1] as string;
  }
});
