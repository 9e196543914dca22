import { setTimeout } from 'node:timers/promises';
import { createClient, isTemporary, RefusedError, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { collect } from '../collect.js';
import { CommandError } from '../failure.js';
import { note, print } from '../output.js';
import type { GlobalOptions } from '../service.js';
import { forgetSettings, resolveConnection, saveSettings } from '../settings.js';

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('sign in with a code in the console, or save a token from standard input')
    .option('--device', 'sign in with a code even if standard input is not a terminal')
    .action(async (options: { device?: boolean }, command: Command) => {
      const { url } = resolveConnection({ url: command.optsWithGlobals<GlobalOptions>().url });
      if (sendsInTheClear(url)) {
        note(
          `Warning: the connection to ${url} is not encrypted, so others can read the token. Use https.`,
        );
      }
      const token =
        options.device || process.stdin.isTTY ? await signInWithCode(url) : await readToken();
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

async function readToken(): Promise<string> {
  const token = (await collect(process.stdin)).join('').trim();
  if (token !== '') return token;
  throw new CommandError('No token was entered. Create one in the console, under "Tokens".');
}

const isWaiting = (error: unknown): boolean =>
  isTemporary(error, true) ||
  (error instanceof RefusedError && (error.status === 401 || error.status >= 500));

async function signInWithCode(url: string): Promise<string> {
  const begun = await unwrap(createClient({ baseUrl: url }).POST('/api/auth/device'));
  const { deviceCode: token, userCode, verificationUrl, expiresInSec, intervalSec } = begun;
  note(`Open ${verificationUrl} and create a token for the code ${userCode}.`);
  const end = performance.now() + expiresInSec * 1000;
  const client = createClient({ baseUrl: url, token });
  while (performance.now() < end) {
    await setTimeout(intervalSec * 1000);
    const session = await unwrap(client.GET('/api/auth/session')).catch((error: unknown) => {
      if (isWaiting(error)) return null;
      throw error;
    });
    if (session) return token;
  }
  throw new CommandError('The code has expired. Run `switchyard login` again.');
}
