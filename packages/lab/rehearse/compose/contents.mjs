import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ENGINE, engine, ROOT, say } from './project.mjs';

const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const NOT_NEEDED =
  /^(prisma|typescript|jest|@swc\+core|@biomejs|react|@prisma\+(engines|dev|studio))/;
const CONFINED = ['--rm', '--network', 'none', '--read-only', '--cap-drop', 'ALL'];
const TMP = ['--tmpfs', '/tmp:exec,mode=1777', '--security-opt', 'no-new-privileges'];

function run(image, ...args) {
  const { status, stdout, stderr } = engine('run', ...CONFINED, ...TMP, image, ...args);
  assert.equal(status, 0, `${image}: ${stdout}${stderr}`);
  return stdout.trim();
}

const PACKAGES = `
const { readdirSync, existsSync } = require('node:fs');
const folder = '/app/node_modules/.pnpm';
const names = readdirSync(folder).filter((name) => name.includes('@'));
const left = ['.npmrc', '.env', '.pnpmfile.cjs', 'src', 'test', 'bench'].filter((name) => existsSync('/app/' + name));
console.log(JSON.stringify({ names, left }));
`;

function holdsPackages(image) {
  const { names, left } = JSON.parse(run(image, 'node', '-e', PACKAGES));
  const lock = readFileSync(path.join(ROOT, 'pnpm-lock.yaml'), 'utf8');
  const unlocked = names
    .filter((name) => !name.startsWith('@switchyard'))
    .filter((name) => {
      const [, id, of] = /^(@?[^@]+)@([^_]+)/.exec(name);
      return !lock.includes(`${id.replace('+', '/')}@${of}`);
    });
  assert.deepEqual(unlocked, [], 'packages in versions other than those of the lock file');
  assert.deepEqual(
    names.filter((name) => NOT_NEEDED.test(name)),
    [],
  );
  assert.deepEqual(left, []);
  return names.length;
}

function isConfigured(image) {
  const [{ Config, Size }] = JSON.parse(engine('image', 'inspect', image).stdout);
  assert.match(Config.User, /^\d+:\d+$/);
  assert.equal(Config.Labels['org.opencontainers.image.version'], version);
  assert.equal(Config.Entrypoint[0], '/usr/bin/tini');
  return Math.round(Size / 1e6);
}

const WRITES = `
const write = (file) => { try { require('fs').writeFileSync(file, 'x'); return true; } catch { return false; } };
console.log(process.getuid(), ...['/app/x', '/etc/x', '/tmp/x'].map(write));
`;

function hasTools(image) {
  const { dependencies } = JSON.parse(
    readFileSync(path.join(ROOT, 'services/orchestration/coding-agents/package.json'), 'utf8'),
  );
  const script =
    'export HOME=/tmp; claude --version && codex --version && opencode --version && rg --version && jq --version ' +
    '&& gcc --version && make --version && python3 --version && git --version && curl --version && cp /bin/true /tmp/t && /tmp/t';
  const said = run(image, 'bash', '-c', script);
  for (const one of Object.values(dependencies)) assert.ok(said.includes(one), `${one}: ${said}`);
}

export function checkContents(tag) {
  for (const name of ['orchestration', 'runner', 'metrics']) {
    const image = `switchyard-${name}:${tag}`;
    const megabytes = isConfigured(image);
    const packages = holdsPackages(image);
    assert.equal(run(image, 'node', '-e', WRITES), '10001 false false true');
    if (name === 'runner') hasTools(image);
    say(`  ${image}: ${megabytes} MB, ${packages} packages as in the lock file (${ENGINE})`);
  }
}
