import { useHarness } from '../../../test/harness';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('mountTools', () => {
  const harness = useHarness();
  const post = (body: unknown = LIST) =>
    harness.api
      .post('/mcp')
      .set('Accept', 'application/json, text/event-stream')
      .set('Content-Type', 'application/json')
      .send(body as object);

  it('creates no session and opens no stream', async () => {
    const listed = await post().expect(200);
    expect(listed.headers).not.toHaveProperty('mcp-session-id');
    expect(listed.headers['cache-control']).toBe('no-store');
    for (const method of ['get', 'delete', 'put'] as const) {
      const refused = await harness.api[method]('/mcp').expect(405);
      expect(refused.headers.allow).toBe('POST');
    }
  });

  it('rejects an unknown Host, and an Origin other than the service’s', async () => {
    await post().set('Host', 'evil.example').expect(403);
    await post().set('Origin', 'https://evil.example').expect(403);
    await post().set('Origin', 'null').expect(403);
  });

  it('rejects an invalid token, and the token of an ended run, with 401', async () => {
    const refused = await post().set('Authorization', 'Bearer nothing').expect(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    const run = await harness.build.liveRun();
    await harness.build.endLiveRun(run.id);
    await post().set('Authorization', run.authorization).expect(401);
  });

  it('rejects a batch with 400', async () => {
    const refused = await post([LIST, LIST]).expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_error' });
  });

  it('rejects a malformed message with a 4xx status', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const text of [
      '',
      '{',
      '[]',
      'null',
      '{"jsonrpc":"2.0"}',
      deep,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"claim","arguments":${deep}}}`,
    ]) {
      const answer = await harness.api
        .post('/mcp')
        .set('Accept', 'application/json, text/event-stream')
        .set('Content-Type', 'application/json')
        .send(text);
      expect({ text: text.slice(0, 40), isFault: answer.status >= 500 }).toEqual({
        text: text.slice(0, 40),
        isFault: false,
      });
    }
    await post({ ...LIST, params: { text: 'x'.repeat(2_200_000) } }).expect(413);
    await harness.api.post('/mcp').set('Content-Type', 'text/plain').send('x').expect(415);
  });
});
