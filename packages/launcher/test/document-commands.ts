import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');

const OTHERS = [
  'README.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'SECURITY.md',
  'UPGRADING.md',
  'packages/cli/README.md',
  'packages/client/README.md',
  'packages/launcher/README.md',
  'services/metrics/README.md',
  'services/orchestration/README.md',
];

const pagesOf = (folder: string) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const PAGES = [...OTHERS, ...pagesOf('docs'), ...pagesOf('docs/agents')];

const PROGRAMS =
  /^(?:[A-Z_]+=\S+ )*(?:npm|node|docker|podman|kubectl|kind|k3d|openssl|curl|promtool|mkdir|cp|sed|git|k8s\/\S+) /;

export function commandsOf(page: string): string[] {
  const joined = page.replace(/\\\n\s*/g, '');
  const blocks: string[] = [];
  let fence: string | undefined;
  for (const line of joined.split('\n')) {
    const mark = /^```(\w*)/.exec(line);
    if (mark) fence = fence === undefined ? mark[1] : undefined;
    else if (fence === 'sh' || fence === 'bash') blocks.push(line);
    else if (fence === undefined && /^ {4}(?: {3})?[^\s-]/.test(line)) blocks.push(line.trim());
  }
  const inline = [...joined.matchAll(/`([^`\n]+)`/g)]
    .map((match) => match[1] as string)
    .filter((code) => PROGRAMS.test(code));
  return [...new Set([...blocks, ...inline].map((one) => one.replace(/ +/g, ' ').trim()))].filter(
    (one) => one !== '',
  );
}

export const commands = PAGES.flatMap((page) =>
  commandsOf(readFileSync(path.join(ROOT, page), 'utf8')).map((command) => ({ page, command })),
);

interface Mark {
  is: RegExp;
  page?: string;
}

export const isMarked =
  (marks: Mark[]) =>
  ({ page, command }: { page: string; command: string }): boolean =>
    marks.some((mark) => (mark.page ?? page) === page && mark.is.test(command));

export const PLAYED: (Mark & { by: string; shows: string })[] = [
  {
    page: 'docs/agents/shell.md',
    is: /./,
    by: 'services/orchestration/test/agent-examples.system.test.ts',
    shows: "place('shell.md', 'ada.sh')",
  },
  {
    is: /^npx tsc .* ada\.ts$/,
    by: 'services/orchestration/test/agent-examples.system.test.ts',
    shows: 'ada\\.ts$/m',
  },
  {
    page: 'docs/routines.md',
    is: /^(curl .*(\$FIRE_URL|signingMode)|BODY=|TIMESTAMP=|SIGNATURE=|ROUTINE=|FOLLOWED=|for READ|case \$\(field|done$|field status)/,
    by: 'services/orchestration/test/routines-document.system.test.ts',
    shows: "printed('Waiting without n8n')",
  },
  {
    is: /^curl .*\/(companies\/\$COMPANY\/routines|routines\/\$ROUTINE\/(run|triggers))"/,
    by: 'services/orchestration/test/builders.ts',
    shows: '/triggers`',
  },
  {
    is: /^(ADAPTER=claude_code|post \/agents\/\$AGENT\/check|SECRET=\$\(post .*"anthropic")/,
    by: 'packages/lab/trials/newcomer/trials/claude.ts',
    shows: "PAGE.block('ADAPTER=claude_code')",
  },
  {
    is: /^curl -F file=\S+ .*\/issues\/\$ISSUE\/attachments$/,
    by: 'services/orchestration/src/features/attachments/attachments.test.ts',
    shows: '.id}/attachments',
  },
  {
    is: /^curl .*"callbackUrl":/,
    by: 'services/orchestration/src/features/callbacks/callbacks.test.ts',
    shows: 'callbackUrl',
  },
  {
    is: /^curl .*\/companies\/\$COMPANY\/endpoints"/,
    by: 'services/orchestration/src/features/webhooks/webhooks.test.ts',
    shows: '/endpoints',
  },
  {
    is: /"egressAllowList":/,
    by: 'services/orchestration/src/features/companies/egress-allow-list.test.ts',
    shows: 'egressAllowList',
  },
  {
    is: /^(PROJECT=\$\(post|post \/projects\/\$PROJECT\/workspaces)/,
    by: 'services/orchestration/src/features/projects/workspaces.test.ts',
    shows: '/workspaces',
  },
  {
    is: /^curl .*\/api\/auth\/(login|tokens|session)|^curl -b jar /,
    by: 'services/orchestration/src/features/people/tokens/tokens.test.ts',
    shows: '/api/auth/tokens',
  },
  {
    is: /^curl .*\/(metrics\/collect|metrics\/history|grids\/\S+)/,
    by: 'services/metrics/test/month/day-of-faults.system.test.ts',
    shows: '/metrics/collect',
  },
  {
    is: /^curl -H "Authorization: Bearer \$METRICS_TOKEN"$/,
    by: 'services/metrics/src/http/callers.test.ts',
    shows: 'Bearer',
  },
  {
    is: /^sed '1,\/\^spec:/,
    by: 'packages/testing/src/prometheus.ts',
    shows: "'1,/^spec:/d; s/^  //'",
  },
  {
    page: 'packages/cli/README.md',
    is: /^(switchyard|alias switchyard=)/,
    by: 'services/orchestration/test/cli.system.test.ts',
    shows: "'packages/cli/dist/bin/switchyard.js'",
  },
  {
    page: 'packages/cli/README.md',
    is: /^(node packages\/bootstrap\/pnpm\.mjs --dir|npm install --prefix|~\/switchyard\/)/,
    by: 'services/orchestration/test/cli-package.system.test.ts',
    shows: 'packByPnpm(CLI',
  },
  {
    is: /&& npm install \/tmp\/switchyard-client-\S+\.tgz$/,
    by: 'packages/lab/trials/newcomer/trials/client.ts',
    shows: "PAGE.block('npm pack ./packages/client')",
  },
  {
    is: /^(npm start|npm test)$/,
    by: 'packages/launcher/test/start.system.test.ts',
    shows: 'begin(',
  },
  {
    is: /^(API=|post\(\)|show\(\)|field\(\)|COMPANY=|AGENT=|ISSUE=|RUN=|until curl|show \/)/,
    by: 'packages/lab/trials/newcomer/trials/start.ts',
    shows: 'README.md',
  },
  {
    is: /^(npm run backup --|docker compose run .* dist\/bin\/backup\.js) s3:/,
    by: 'services/orchestration/src/backup/bucket.test.ts',
    shows: 's3://',
  },
  {
    is: /^npm run backup( -- \S+( \+%F\))?)?$/,
    by: 'packages/lab/src/rehearsals/restore.ts',
    shows: "command('backup', saved)",
  },
  {
    is: /^(DATA_DIR=\S+ )?npm run restore -- \S+$/,
    by: 'packages/lab/src/rehearsals/restore.ts',
    shows: "command('restore', saved)",
  },
  {
    is: /^(mkdir|cp) .*\.data-new/,
    by: 'packages/lab/src/rehearsals/restore.ts',
    shows: "copyFileSync(path.join(one, 'secrets.json')",
  },
  {
    is: /^DATA_DIR=\S+ (WORKER_PAUSED=true )?npm start$/,
    by: 'packages/lab/src/rehearsals/restore.ts',
    shows: 'startOn(life, root, two)',
  },
  {
    is: /^npm run (backup|restore) -- \S+ --(encrypt-to|identity|passphrase-file) /,
    by: 'packages/launcher/test/backup.system.test.ts',
    shows: '--passphrase-file',
  },
  {
    is: /--paused/,
    by: 'services/orchestration/src/backup/paused-restore.test.ts',
    shows: "'--paused'",
  },
  {
    is: /^node packages\/bootstrap\/run\.mjs start &$/,
    by: 'packages/launcher/test/start.system.test.ts',
    shows: 'begin(',
  },
  {
    is: /^node ((?:services|packages)\/\S+\/)?dist\/bin\/(api|worker|runner)\.js$/,
    by: 'services/orchestration/test/worker-process.ts',
    shows: "'dist/bin'",
  },
  {
    is: /^npm start -- runner$/,
    by: 'services/orchestration/test/worker-process.ts',
    shows: "'runner', '\"runner is ready\"'",
  },
  {
    is: /^curl -sS -X DELETE \$API\/companies\/\$COMPANY\/runners\/\$RUNNER$/,
    by: 'services/orchestration/src/features/runners/registration/runners.test.ts',
    shows: '.delete(',
  },
  {
    is: /^node (services\/metrics\/)?dist\/bin\/metrics\.js$/,
    by: 'services/orchestration/test/schema-start.system.test.ts',
    shows: 'metrics',
  },
  {
    is: /^node (packages|node_modules)\/(db|@switchyard\/db)\/dist\/bin\/(migrate|await-schema)\.js /,
    by: 'packages/lab/rehearse/rollout/rehearse.mjs',
    shows: 'migrat',
  },
  {
    is: /^node dist\/bin\/(backup|restore)\.js /,
    by: 'packages/lab/rehearse/compose/rehearse.mjs',
    shows: 'dist/bin/backup.js',
  },
  {
    is: /^curl http:\/\/127\.0\.0\.1:3100\/api\/health$/,
    by: 'services/orchestration/src/access/network/rate-limits.test.ts',
    shows: '/api/health',
  },
  {
    is: /^npm run admin -- /,
    by: 'packages/launcher/test/admin.system.test.ts',
    shows: 'list-people',
  },
  {
    is: /^(node dist\/bin\/admin\.js|docker compose run .* dist\/bin\/admin\.js)/,
    by: 'packages/launcher/test/admin.system.test.ts',
    shows: 'list-people',
  },
  {
    is: /^(export DATABASE_ADMIN_URL|DATABASE_URL=\S+ node packages\/db\/dist\/bin\/migrate\.js)/,
    by: 'packages/testing/test/roles.system.test.ts',
    shows: 'DATABASE_ADMIN_URL',
  },
  {
    is: /^(DATABASE_URL=\S+sslmode=|REDIS_URL=rediss:|REDIS_CA_FILE=)/,
    by: 'services/orchestration/test/tls.system.test.ts',
    shows: 'sslrootcert',
  },
  {
    is: /^psql .*partition-by-month\.sql$/,
    by: 'services/metrics/test/partitions.test.ts',
    shows: 'partition-by-month.sql',
  },
  {
    is: /^npm run release /,
    by: 'packages/launcher/test/release-clone.system.test.ts',
    shows: 'describe(',
  },
  {
    is: /^docker compose (up|down|run)|^WORKER_PAUSED=true docker compose/,
    by: 'packages/lab/rehearse/compose/project.mjs',
    shows: "'up'",
  },
];

export const NOT_RUN: (Mark & { why: string })[] = [
  {
    is: /^(\[egress\] |\{ "accounts": \[)/,
    why: 'is what a log or a file has, not a command',
  },
  {
    is: /^(WORKSPACE_ROOTS|REPOSITORY_ALLOWED_HOSTS|HTTP_ADAPTER_ALLOWED_HOSTS|METRICS_WEBHOOK_(URL|SECRET))=/,
    why: 'is a line of .env',
  },
  {
    is: /^npm install (-g|--global) /,
    why: "changes the reader's machine; the image of runners has them",
  },
  {
    is: /^(ssh-keygen |VALUE=\$\(node|SECRET=\$\(post .*"site key")/,
    why: 'needs a git server with ssh, and makes files',
  },
  { is: /^git (ls-remote|fetch|push|config --worktree)$/, why: 'names what git is called with' },
  {
    is: /^(podman play kube|npm run admin|curl -d)$/,
    why: 'names a program without its arguments',
  },
  { is: /^npm run rehearse -- exchange-sim /, why: 'serves until it is stopped' },
  {
    is: /^docker (build|buildx) |^podman build|^(ARCH=\S+ NODE=\S+ )?k8s\/images\/(build-images|make-sbom|make-(base|server)-images?)\.sh/,
    why: 'needs a container engine',
  },
  { is: /^docker compose (logs|restart|port|exec|config|ps)/, why: 'needs a container engine' },
  { is: /^kubectl |^(ADMIN|METRICS)=\$\(openssl/, why: 'needs a cluster; .github/scripts/kind.sh' },
  { is: /^(kind load|k3d image import|docker save|helm upgrade) /, why: 'needs a cluster' },
  {
    is: /^(mkdir -p|sudo chown 10001:10001) \/srv\/backups$/,
    page: 'docs/containers.md',
    why: "changes the reader's machine, as root",
  },
  { is: /^openssl req /, why: 'makes files; tried by hand' },
  { is: /^(CREATE|REVOKE|GRANT|ALTER ROLE) /, why: 'SQL for the psql of an operator' },
  { is: /^npm run rehearse( |$)/, why: 'is a rehearsal: it takes minutes' },
  {
    is: /^npm run (bench|dev|build|format|lint|start)/,
    why: 'is a command of its own, or changes the sources',
  },
  { is: /^(TEST_TIMINGS=write )?npm (run )?test/, why: 'is this' },
  { is: /^node examples\/demo\.mjs$/, why: 'needs a running service; the README trial runs it' },
  { is: /check-probe\.js/, why: 'is the health check of the images' },
  { is: /dist\/bin\/check-exchange\.js$/, why: 'asks an exchange' },
  { is: /schema-sql\.mjs/, why: 'begins a migration, for developers' },
  { is: /^connections = /, why: 'is a sum' },
  { is: /^git checkout v/, why: 'needs a release' },
  { is: /^for f in \/backups/, why: 'needs a backup in /backups; tried by hand' },
];
