import { addressOf, invalidField, unauthenticated } from '@switchyard/server';
import type { ProviderSignInBody } from '@switchyard/types';
import { requireProvider } from '../../../access/sign-in/provider';
import { assertRecentSignIn } from '../../../access/sign-in/recent-sign-in';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import type { SignInCall } from '../sessions/sign-in-call';
import { rememberFlow } from './flow';

/**
 * Returns the provider's URL that the browser must open next. A signed-in person must enter the
 * credentials at the provider again.
 * @throws ApiError 401 or 403 `recent_sign_in_required` for `link`, 404 without a provider, 409 in
 * local mode, 503 if the provider cannot be reached
 */
export async function beginProviderSignIn(
  call: SignInCall,
  { next = '/', invite, link = false }: ProviderSignInBody,
): Promise<{ url: string }> {
  const signIn = requireSignIn(call.context);
  const provider = requireProvider(call.context);
  if (link && invite !== undefined) throw invalidField('link', 'cannot be combined with invite');
  await signIn.throttle.attempt(addressOf(call.request));
  if (link) await assertRecentSignIn(call);
  const session = await signIn.sessions.current(call.request);
  if (link && !session) throw unauthenticated('sign in first');
  const { url, ...request } = await provider.begin(session !== null);
  rememberFlow(signIn, call.request, {
    ...request,
    next,
    ...(invite !== undefined && { invite }),
    ...(link && session && { linkTo: session.userId }),
  });
  await signIn.throttle.succeeded(addressOf(call.request));
  return { url };
}
