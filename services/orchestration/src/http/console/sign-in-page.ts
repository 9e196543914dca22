import { parse, readText, refusalFrom } from '@switchyard/server';
import { loginBody } from '@switchyard/types';
import type { Application, Request, Response } from 'express';
import { rateLimits } from '../../access/network/rate-limits';
import { logIn } from '../../features/people/sessions/log-in';
import type { Context } from '../../kernel/context';
import type { BuiltFiles } from './built-files';
import { ownPath, signInAt } from './own-path';
import { pageOf, sendPage } from './send-built';

const LANGUAGES = ['en', 'de'];

export function serveSignInPage(
  app: Application,
  context: Context,
  built: BuiltFiles | null,
): void {
  app.get('/login', (_request, response) => response.redirect('/sign-in'));
  app.get('/sign-in', (request, response) => {
    const language = request.acceptsLanguages(LANGUAGES) || 'en';
    const page = pageOf(built, `sign-in.${language}.html`);
    const content = withNext(page.content, request.query.next);
    response.vary('Accept-Language');
    sendPage(response, { ...page, content, tag: null });
  });
  app.post('/sign-in', async (request, response) => {
    response.redirect(303, await signInByForm(context, request, response));
  });
}

function withNext(content: Buffer, next: unknown): Buffer {
  const wanted = ownPath(next);
  if (wanted === '/') return content;
  const value = wanted.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
  const field = (text: string) => `name="next" value="${text}"`;
  return Buffer.from(content.toString().replace(field(''), () => field(value)));
}

async function signInByForm(
  context: Context,
  request: Request,
  response: Response,
): Promise<string> {
  response.set('Cache-Control', 'no-store');
  const { email, password, newPassword, next } = await readForm(request);
  try {
    await rateLimits(context).unknown(request);
    const given = { email, password, ...(newPassword && { newPassword }) };
    const body = parse(loginBody, given, 'body');
    await logIn({ ...callOf(context), request }, body);
    return ownPath(next);
  } catch (error) {
    const { code } = refusalFrom(error);
    const isWeak = code === 'validation_error' && newPassword;
    const problem = isWeak ? '#replace' : PROBLEMS[code];
    if (!problem) throw error;
    return signInAt(ownPath(next), problem);
  }
}

const MAX_FORM_BYTES = 10_240;

async function readForm(request: Request): Promise<Record<string, string>> {
  if (!request.is('application/x-www-form-urlencoded')) return {};
  return Object.fromEntries(new URLSearchParams(await readText(request, MAX_FORM_BYTES)));
}

const PROBLEMS: Partial<Record<string, string>> = {
  password_change_required: '#replace',
  unauthenticated: '#wrong',
  validation_error: '#wrong',
  rate_limited: '#too-many',
};

const callOf = (context: Context) => ({
  context,
  db: context.db,
  actor: { type: 'public' as const },
  companyId: null,
  runId: null,
});
