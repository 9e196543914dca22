import { openPage } from '../page';
import { follow, type Trial } from '../trial';

const PAGE = openPage('docs/coding-agents.md');

const call = (method: string, path: string, body: string) =>
  `curl -sS --fail-with-body -X ${method} "$SERVICE_API_URL/api${path}" -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" -d ${body}`;
const ISSUE = '/issues/$SERVICE_ISSUE_ID';
const tokens = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0 };
const HAIKU = [
  call(
    'POST',
    `${ISSUE}/checkout`,
    `"{\\"agentId\\":\\"$SERVICE_AGENT_ID\\",\\"expectedStatuses\\":[\\"todo\\"]}"`,
  ),
  call(
    'PUT',
    `${ISSUE}/documents/haiku`,
    `'{"title":"Haiku","format":"markdown","body":"Wakes wait in a row"}'`,
  ),
  call('PATCH', ISSUE, `'{"status":"in_review"}'`),
  call('PATCH', ISSUE, `'{"status":"done"}'`),
].map((shell) => ({ shell, tokens }));

export function claudeCode(trial: Trial): void {
  const story = async (change: (commands: string) => string, env: Record<string, string> = {}) => {
    const commands = PAGE.block('ADAPTER=claude_code').replace(
      'http://127.0.0.1:3100/api',
      trial.started.address('API'),
    );
    const printed = (await trial.clone.paste(change(commands), env)).trim().split('\n');
    const [run, log, issue] = printed.slice(-3).map((line) => JSON.parse(line));
    return { check: JSON.parse(printed.at(-4) as string), run, log, issue };
  };
  const withKey = (commands: string) => {
    const lines = PAGE.block('SECRET=$(post').replace(
      '"env":{',
      `"env":{"ANTHROPIC_BASE_URL":"${trial.provider.url}",`,
    );
    return commands.replace(/^AGENT=.*\n/m, () => lines);
  };

  follow(PAGE, "(`no_key`: the run then needs the tool's own sign-in)", async () => {
    const { check, run } = await story((commands) => commands);
    expect(check).toContainEqual(expect.objectContaining({ code: 'no_key' }));
    expect(run).toMatchObject({ status: 'failed', errorCode: 'not_signed_in' });
    expect(run.error).toMatch(/\/login|ANTHROPIC_API_KEY/);
  });

  follow(
    PAGE,
    'To use a key instead of a sign-in, store the key as a secret and name the secret in `env`',
    async () => {
      trial.provider.play([...HAIKU, { say: 'It is written.', tokens }]);
      const { check, run, log, issue } = await story(withKey, {
        ANTHROPIC_API_KEY: 'scripted-key',
      });
      expect(check.filter(({ level }: { level: string }) => level === 'error')).toEqual([]);
      expect({ ...run, log: log.content }).toMatchObject({ status: 'succeeded' });
      expect(run.usage).toMatchObject({ inputTokens: 5_000, outputTokens: 500 });
      expect(issue).toMatchObject({ status: 'done', documentSummaries: [{ key: 'haiku' }] });
    },
  );

  follow(PAGE, 'no key, a bad key, an expired session', async () => {
    const message = 'invalid x-api-key';
    const error = { type: 'error', error: { type: 'authentication_error', message } };
    trial.provider.play([{ status: 401, error }]);
    const { run } = await story(withKey, { ANTHROPIC_API_KEY: 'a-bad-key' });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'not_signed_in' });
    // Claude Code requests a turn and a title, each at most twice: the runner ends Claude Code when
    // a repeated request is rejected too.
    expect(trial.provider.requests.length).toBeLessThanOrEqual(4);
  });
}
