import type { Application, Request, Response } from 'express';
import { type SignIn, signInOf } from '../../access/sign-in/sign-in';
import type { Context } from '../../kernel/context';
import { type BuiltFiles, readBuiltFiles } from './built-files';
import { signInAt } from './own-path';
import { isPageAddress } from './page-addresses';
import { BUILD, pageOf, sendAsset, sendPage } from './send-built';
import { serveSignInPage } from './sign-in-page';

export function serveConsole(
  app: Application,
  context: Context,
  built: BuiltFiles | null = readBuiltFiles(),
): void {
  const signIn = signInOf(context);
  if (!built)
    context.logger.warn('the console is not built, so no pages are served', { next: BUILD });
  if (signIn) serveSignInPage(app, context, built);
  // Paths of the API ignore case. `/API/…` may also be a page of the company with the prefix `API`,
  // so a browser gets the page.
  app.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const asset = built?.assets.get(request.path);
    if (asset) return sendAsset(request, response, asset);
    const isUnclear = /^\/api\//i.test(request.path);
    const isKnown = isPageAddress(request.path);
    if ((isUnclear || !isKnown) && !isNavigation(request)) return next();
    return showPage(request, response, isKnown);
  });
  const showPage = async (request: Request, response: Response, isKnown: boolean) => {
    if (signIn && !(await isSignedIn(signIn, request))) {
      response.set('Cache-Control', 'no-store');
      response.redirect(signInAt(request.originalUrl));
      return;
    }
    sendPage(response.status(isKnown ? 200 : 404), pageOf(built, 'index.html'));
  };
}

function isNavigation(request: Request): boolean {
  const isOther = /^\/(?:api|assets)(?:\/|$)/.test(request.path);
  return !isOther && /(?:^|,)\s*text\/html\b/.test(request.get('accept') ?? '');
}

/**
 * If sessions cannot be read, returns true: the page contains no data, and its requests show the
 * error.
 */
function isSignedIn(signIn: SignIn, request: Request): Promise<boolean> {
  return signIn.sessions.current(request).then(
    (session) => session !== null,
    () => true,
  );
}
