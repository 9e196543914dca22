import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const { dependencies: PINNED } = JSON.parse(
  readFileSync(
    join(__dirname, '../../../../services/orchestration/coding-agents/package.json'),
    'utf8',
  ),
) as { dependencies: Record<string, string> };
const release = (name: string) => `${name}@${PINNED[name]}`;

export const RELEASES = {
  claude: release('@anthropic-ai/claude-code'),
  codex: release('@openai/codex'),
  opencode: release('opencode-ai'),
};

/** This folder is outside the checkout, because a sandbox cannot read the checkout's folders. */
const ROOT = resolve(
  process.env.CODING_AGENTS_DIR ?? join(homedir(), '.cache/switchyard/coding-agents'),
);

export async function installTool(tool: keyof typeof RELEASES): Promise<string> {
  const wanted = RELEASES[tool];
  const version = process.env.CODING_AGENT_VERSIONS;
  const chosen = version ? `${wanted.slice(0, wanted.lastIndexOf('@'))}@${version}` : wanted;
  const folder = join(ROOT, chosen.replace(/[^A-Za-z0-9.-]+/g, '_'));
  const executable = join(folder, 'node_modules', '.bin', tool);
  const isThere = await access(executable).then(
    () => true,
    () => false,
  );
  if (isThere) return executable;
  await mkdir(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', chosen];
  await promisify(execFile)('npm', args, { timeout: 600_000 });
  return executable;
}
