import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxBy } from '@switchyard/runner/test/confinements';
import { git, hasGit, sayWhetherTried, startGitServer } from '@switchyard/runner/test/git-server';
import type { Driver } from '@switchyard/sandbox';
import type { HeartbeatRunView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';

const CREDENTIAL = 'canary-of-a-repository-that-is-written';
const BASIC = Buffer.from(`x-access-token:${CREDENTIAL}`).toString('base64');

const LOOKED_FOR = [CREDENTIAL, BASIC].map((canary) => `[${canary[0]}]${canary.slice(1)}`);

const WORK = `
set -e
git switch --quiet --create agents/first
echo changed >> README.md
git commit --quiet --all --message 'By an agent'
git push --quiet origin agents/first
echo "pushed $(git rev-parse HEAD)"
git push --quiet origin :agents/old
git fetch --quiet origin
git push --quiet "$1" HEAD:main 2>&1 && echo 'pushed elsewhere' || echo 'refused elsewhere'
env
git config --list --show-origin
grep --recursive --text --files-with-matches -e "$3" -e "$4" -e '^By an agent' \\
  . "$HOME" "\${TMPDIR:-/tmp}" 2>/dev/null | sed 's/^/found in /'
git credential fill <<END 2>&1 || true
url=$2
END
echo done
`;

const DRIVERS: Driver[] = process.platform === 'linux' ? ['bwrap', 'landlock'] : ['seatbelt'];

const withGit = hasGit();

sayWhetherTried('git', withGit);

if (withGit) {
  describe.each(DRIVERS)('a run that pushes, under the driver %s', (driver) => {
    const harness = useHarness({
      config: { sandbox: sandboxBy(driver) },
      context: { adapters: undefined },
    });
    let server: Awaited<ReturnType<typeof startGitServer>>;
    beforeAll(async () => {
      server = await startGitServer();
      harness.config.repositories.caFile = server.caFile;
    });
    afterAll(() => server.close());

    it('uses a credential that appears in no log and in no file of the data directory', async () => {
      for (const name of ['mine', 'other']) {
        server.create(name);
        git(server.work(name), 'push', '--quiet', 'origin', 'HEAD:agents/old');
        git(join(server.work(name), '..', `${name}.git`), 'config', 'http.receivepack', 'true');
      }
      server.control.intercept = (request, response) => {
        if (request.headers.authorization === `Basic ${BASIC}`) return false;
        response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
        return true;
      };
      const { build, api, config } = harness;
      const agent = await build.agent({
        adapterType: 'process',
        adapterConfig: {
          command: '/bin/sh',
          args: ['-c', WORK, 'work', server.url('other'), server.url('mine'), ...LOOKED_FOR],
          env: { GIT_TERMINAL_PROMPT: '0' },
        },
      });
      const { companyId } = agent;
      const secret = await build.secret({ companyId, value: CREDENTIAL });
      const project = await build.project({ companyId });
      const issue = await build.issue({ companyId, projectId: project.id, status: 'todo' });
      await api
        .post(`/api/projects/${project.id}/workspaces`)
        .send({
          repoUrl: server.url('mine'),
          repoCredential: { type: 'secret_ref', secretId: secret.id },
        })
        .expect(201);
      const { id } = await build.queuedRun(agent.id, { issueId: issue.id });
      await harness.drain();
      const run = (await api.get(`/api/heartbeat-runs/${id}`).expect(200)).body as HeartbeatRunView;
      const stored = await api.get(`/api/heartbeat-runs/${id}/log?limit=1048576`).expect(200);
      const log = stored.body.content as string;
      expect({ status: run.status, error: run.error, log }).toMatchObject({ status: 'succeeded' });
      expect(log).toMatch(/^done$/m);

      const written = join(server.work('mine'), '..', 'mine.git');
      const pushed = /^pushed ([0-9a-f]{40})$/m.exec(log)?.[1];
      expect(git(written, 'rev-parse', 'agents/first')).toBe(pushed);
      expect(git(written, 'log', '-1', '--format=%an <%ae>', 'agents/first')).toBe(
        `${agent.name} <${agent.id}@agents.invalid>`,
      );
      expect(git(written, 'branch', '--list', 'agents/old')).toBe('');
      expect(log).toMatch(/^refused elsewhere$/m);
      expect(log).toContain(`[egress] localhost:${server.port} (repository)\n`);

      const found = new Set(log.match(/^found in .*$/gm)?.map((line) => line.split('/').at(-1)));
      expect(found).toEqual(new Set(['COMMIT_EDITMSG']));
      for (const line of log.split('\n').filter((one) => one.includes('***'))) {
        expect(line).toMatch(/^SERVICE_API_KEY=|Authorization: Bearer \*{3}$/);
      }
      for (const canary of [CREDENTIAL, BASIC]) {
        expect(log).not.toContain(canary);
        expect(filesWith(config.dataDir, canary)).toEqual([]);
      }
    });
  });
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}
