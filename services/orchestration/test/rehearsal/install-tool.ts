import { execFile } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The releases that were rehearsed; another can be tried by `CODING_AGENT_VERSIONS=latest`. */
export const RELEASES = {
  claude: '@anthropic-ai/claude-code@2.1.197',
  codex: '@openai/codex@0.169.0',
  opencode: 'opencode-ai@1.18.33',
};

const ROOT = resolve(process.env.CODING_AGENTS_DIR ?? '.cache/coding-agents');

/** The path of a coding agent's executable, installed from the npm registry on first use; no dependency of ours. */
export async function installTool(tool: keyof typeof RELEASES): Promise<string> {
  const wanted = RELEASES[tool];
  const release = process.env.CODING_AGENT_VERSIONS
    ? `${wanted.slice(0, wanted.lastIndexOf('@'))}@${process.env.CODING_AGENT_VERSIONS}`
    : wanted;
  const folder = join(ROOT, release.replace(/[^A-Za-z0-9.-]+/g, '_'));
  const executable = join(folder, 'node_modules', '.bin', tool);
  const isThere = await access(executable).then(
    () => true,
    () => false,
  );
  if (isThere) return executable;
  await mkdir(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', release];
  await promisify(execFile)('npm', args, { timeout: 600_000 });
  return executable;
}
