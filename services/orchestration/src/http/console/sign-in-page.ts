import { parse, readText, refusalFrom } from '@switchyard/server';
import { loginBody } from '@switchyard/types';
import type { Application, Request, Response } from 'express';
import { rateLimits } from '../../access/network/rate-limits';
import { beginProviderSignIn } from '../../features/people/provider/begin-sign-in';
import { completeProviderSignIn } from '../../features/people/provider/complete-sign-in';
import { endProviderSessions } from '../../features/people/provider/end-provider-sessions';
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
    const shown = withProvider(page.content, context);
    const content = withNext(shown, request.query.next);
    response.vary('Accept-Language');
    sendPage(response, { ...page, content, tag: null });
  });
  app.get('/sign-in/provider', async (request, response) => {
    response.redirect(
      303,
      await inSignIn(context, request, response, ownPath(request.query.next), beginAtProvider),
    );
  });
  app.get('/sign-in/callback', async (request, response) => {
    response.redirect(303, await inSignIn(context, request, response, '/', endAtProvider));
  });
  app.post('/sign-in/logout', async (request, response) => {
    response.set('Cache-Control', 'no-store');
    await rateLimits(context).unknown(request);
    const { logout_token: token = '' } = await readForm(request);
    await endProviderSessions({ ...callOf(context), request }, token);
    response.end();
  });
  app.post('/sign-in', async (request, response) => {
    response.redirect(303, await signInByForm(context, request, response));
  });
}

function withProvider(content: Buffer, context: Context): Buffer {
  const { provider, acceptsPasswords } = context.config.signIn ?? {};
  const mark = provider
    ? `data-provider="${acceptsPasswords ? 'offered' : 'only'}"`
    : 'data-provider=""';
  return Buffer.from(content.toString().replace('data-provider=""', () => mark));
}

function withNext(content: Buffer, next: unknown): Buffer {
  const wanted = ownPath(next);
  if (wanted === '/') return content;
  const value = wanted.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
  const field = (text: string) => `name="next" value="${text}"`;
  const link = (text: string) => `href="/sign-in/provider${text}"`;
  const query = `?next=${encodeURIComponent(wanted)}`;
  const shown = content.toString().replace(field(''), () => field(value));
  return Buffer.from(shown.replace(link(''), () => link(query)));
}

type SignInStep = (call: ReturnType<typeof callOf> & { request: Request }) => Promise<string>;

const beginAtProvider: SignInStep = async (call) => {
  const { url } = await beginProviderSignIn(call, { next: ownPath(call.request.query.next) });
  return url;
};

const endAtProvider: SignInStep = async (call) => {
  const callback = new URL(call.request.originalUrl, call.context.config.publicUrl);
  return ownPath(await completeProviderSignIn(call, callback));
};

/** Returns the step's address, or the sign-in page with the problem. */
async function inSignIn(
  context: Context,
  request: Request,
  response: Response,
  next: string,
  step: SignInStep,
): Promise<string> {
  response.set('Cache-Control', 'no-store');
  try {
    await rateLimits(context).unknown(request);
    return await step({ ...callOf(context), request });
  } catch (error) {
    const problem = PROVIDER_PROBLEMS[refusalFrom(error).code];
    if (!problem) throw error;
    return signInAt(next, problem);
  }
}

const PROVIDER_PROBLEMS: Partial<Record<string, string>> = {
  unauthenticated: '#provider-failed',
  unavailable: '#provider-failed',
  forbidden: '#not-invited',
  not_found: '#not-invited',
  conflict: '#not-joined',
  company_archived: '#not-joined',
  rate_limited: '#too-many',
};

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
