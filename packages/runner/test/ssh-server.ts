import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@switchyard/testing';

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((path) =>
  existsSync(path),
);

export function hasSshServer(): boolean {
  if (!SSHD) return false;
  try {
    execFileSync('sh', ['-c', 'command -v ssh && command -v ssh-keygen'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

export function makeKey(folder: string, name: string, passphrase = '') {
  const file = join(folder, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', name, '-f', file]);
  return {
    file,
    privateKey: readFileSync(file, 'utf8'),
    publicKey: readFileSync(`${file}.pub`, 'utf8').trim(),
  };
}

export async function startSshServer(folder: string, letIn: string[], name = 'host') {
  const port = await freePort();
  const hostKey = makeKey(folder, name);
  const authorized = join(folder, `${name}-authorized`);
  writeFileSync(authorized, `${letIn.join('\n')}\n`, { mode: 0o600 });
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey.file}`,
    'PidFile none',
    `AuthorizedKeysFile ${authorized}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'LogLevel VERBOSE',
  ];
  const config = join(folder, `${name}-config`);
  writeFileSync(config, `${lines.join('\n')}\n`);
  // Root needs this folder, which the system normally creates.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(SSHD as string, ['-D', '-e', '-f', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const listens = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Server listening')) resolve();
    });
  });
  await Promise.race([listens, ended]);
  if (!said.includes('Server listening')) throw new Error(`sshd did not start: ${said}`);
  return {
    port,
    knownHost: `[127.0.0.1]:${port} ${hostKey.publicKey}`,
    said: () => said,
    url: (path: string, host = '127.0.0.1') =>
      `ssh://${userInfo().username}@${host}:${port}${path}`,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
