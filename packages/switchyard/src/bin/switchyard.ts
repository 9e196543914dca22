#!/usr/bin/env node
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { checkNode } from '@switchyard/bootstrap/check-node';

checkNode();

const SERVER = ['start', 'stop', 'status', 'doctor', 'backup', 'restore', 'admin', 'upgrade'];

const HELP = `
The services on this machine, with settings and data in ~/.switchyard:
  start [--background]     starts everything; Ctrl-C or "switchyard stop" stops it
  start runner --url …     starts a runner for another machine's service
  stop                     stops what runs here
  status                   prints the addresses, and whether each process is ready
  doctor                   checks what a start needs
  backup <folder>          backs up both databases and the files
  restore <folder>         restores a backup into an empty folder
  admin <command>          manages accounts and keys
  upgrade [version]        backs up, then installs another version
`;

const [command = '', ...args] = process.argv.slice(2);
if (SERVER.includes(command)) {
  const home = path.join(homedir(), '.switchyard');
  mkdirSync(home, { recursive: true, mode: 0o711 });
  process.env.PRISMA_ROOT ??= path.resolve(import.meta.dirname, '../../prisma');
  process.env.INIT_CWD ??= process.cwd();
  const { runCommand } = await import('@switchyard/launcher/run-command');
  await runCommand(home, command, args);
} else {
  const { main } = await import('@switchyard/cli/main');
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  await main(version, HELP);
}
