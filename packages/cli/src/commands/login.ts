import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { createClient, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { collect } from '../collect.js';
import { CommandError } from '../failure.js';
import { note, print } from '../output.js';
import type { GlobalOptions } from '../service.js';
import { forgetSettings, resolveConnection, saveSettings } from '../settings.js';

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('save a personal access token, read from the terminal or from standard input')
    .action(async (_options, command: Command) => {
      const { url } = resolveConnection({ url: command.optsWithGlobals<GlobalOptions>().url });
      if (sendsInTheClear(url)) {
        note(
          `Warning: the connection to ${url} is not encrypted, so others can read the token. Use https.`,
        );
      }
      const token = (await readSecret(`Personal access token for ${url}: `)).trim();
      if (token === '')
        throw new CommandError('No token was entered. Create one in the console, under "Tokens".');
      const session = await unwrap(createClient({ baseUrl: url, token }).GET('/api/auth/session'));
      saveSettings({ url, token });
      print(`Signed in at ${url} as ${session.user?.name ?? session.agent?.name ?? 'the board'}.`);
    });
  program
    .command('logout')
    .description('delete the saved token; it stays valid until you revoke it in the console')
    .action(() => forgetSettings());
}

function sendsInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/;

async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await collect(process.stdin)).join('');
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
