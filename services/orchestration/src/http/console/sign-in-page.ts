import { parse, readText, refusalFrom } from '@switchyard/server';
import { loginBody } from '@switchyard/types';
import type { Application, Request, Response } from 'express';
import { rateLimits } from '../../access/network/rate-limits';
import { requireSignIn } from '../../access/sign-in/sign-in';
import { beginProviderSignIn } from '../../features/people/provider/begin-sign-in';
import { completeProviderSignIn } from '../../features/people/provider/complete-sign-in';
import { endProviderSessions } from '../../features/people/provider/end-provider-sessions';
import { takeFlow } from '../../features/people/provider/flow';
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
    const next = ownPath(request.query.next);
    const begin: SignInStep = async (call) => (await beginProviderSignIn(call, { next })).url;
    await attempt(context, request, response, { next, problems: PROVIDER_PROBLEMS, step: begin });
  });
  app.get('/sign-in/callback', async (request, response) => {
    const flow = takeFlow(requireSignIn(context), request);
    const callback = new URL(request.originalUrl, context.config.publicUrl);
    await attempt(context, request, response, {
      next: flow?.next,
      problems: PROVIDER_PROBLEMS,
      step: async (call) => ownPath(await completeProviderSignIn(call, flow, callback)),
    });
  });
  app.post('/sign-in/logout', async (request, response) => {
    response.set('Cache-Control', 'no-store');
    await rateLimits(context).unknown(request);
    const { logout_token: token = '' } = await readForm(request);
    await endProviderSessions({ ...callOf(context), request }, token);
    response.end();
  });
  app.post('/sign-in', async (request, response) => {
    const { email, password, newPassword, next } = await readForm(request);
    const given = { email, password, ...(newPassword && { newPassword }) };
    await attempt(context, request, response, {
      next,
      problems: newPassword ? { ...PROBLEMS, validation_error: '#replace' } : PROBLEMS,
      step: async (call) => {
        await logIn(call, parse(loginBody, given, 'body'));
        return ownPath(next);
      },
    });
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

type Problems = Partial<Record<string, string>>;
type SignInStep = (call: ReturnType<typeof callOf> & { request: Request }) => Promise<string>;

/** Redirects to the step's address, or to the sign-in page with the problem. */
async function attempt(
  context: Context,
  request: Request,
  response: Response,
  { next, problems, step }: { next: string | undefined; problems: Problems; step: SignInStep },
): Promise<void> {
  response.set('Cache-Control', 'no-store');
  const to = (address: string) => response.redirect(303, address);
  try {
    await rateLimits(context).unknown(request);
    to(await step({ ...callOf(context), request }));
  } catch (error) {
    const problem = problems[refusalFrom(error).code];
    if (!problem) throw error;
    to(signInAt(next, problem));
  }
}

const PROVIDER_PROBLEMS: Problems = {
  unauthenticated: '#provider-failed',
  unavailable: '#provider-failed',
  forbidden: '#not-invited',
  not_found: '#not-invited',
  conflict: '#not-joined',
  company_archived: '#not-joined',
  rate_limited: '#too-many',
};

const MAX_FORM_BYTES = 10_240;

async function readForm(request: Request): Promise<Record<string, string>> {
  if (!request.is('application/x-www-form-urlencoded')) return {};
  return Object.fromEntries(new URLSearchParams(await readText(request, MAX_FORM_BYTES)));
}

const PROBLEMS: Problems = {
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
