import { ask, type Refused, readSignedIn, type SignedIn } from './ask';
import { ownPath } from './own-path';
import { at, clearField, form, showAtField } from './page';
import { showSessions } from './sessions';

type View = 'sign-in' | 'bootstrap' | 'invite' | 'signed-in';
const VIEWS: View[] = ['sign-in', 'bootstrap', 'invite', 'signed-in'];

let signedIn: SignedIn | null = null;

onSubmit('sign-in', () => '/api/auth/login');
onSubmit('bootstrap', () => '/api/auth/bootstrap');
onSubmit('invite', () => `/api/auth/invites/${inviteToken()}/accept`);
onClick('sign-out', () => ask('POST', '/api/auth/logout'));
onClick('accept-at-provider', () => atProvider({ invite: inviteToken() }));
onClick('link', () => atProvider({ link: true }));
onClick('end-others', () => ask('DELETE', '/api/auth/sessions'));
onChangePassword();
addEventListener('hashchange', () => {
  say('');
  showView();
});
at<HTMLAnchorElement>('continue').href = wanted();
const providerLink = at<HTMLAnchorElement>('provider');
providerLink.href = `/sign-in/provider?next=${encodeURIComponent(wanted())}`;
await refresh().catch((error: Error) => say(error.message));
showView();

function wanted(): string {
  return ownPath(new URLSearchParams(location.search).get('next'));
}

/** Reads the token from the fragment, because servers and proxies do not log fragments. */
function inviteToken(): string | undefined {
  return /^#invite=([\w-]{43})$/.exec(location.hash)?.[1];
}

async function atProvider(body: { invite?: string; link?: true }): Promise<void> {
  const begun = await ask<{ url: string }>('POST', '/api/auth/provider', {
    ...body,
    next: wanted(),
  });
  location.assign(begun.url);
}

async function refresh(): Promise<void> {
  signedIn = await readSignedIn();
}

function showView(): void {
  if (inviteToken()) showInvite();
  else if (signedIn) showSignedIn(signedIn);
  else show(location.hash === '#bootstrap' ? 'bootstrap' : 'sign-in');
}

function show(view: View): void {
  for (const id of VIEWS) at(id).hidden = id !== view;
  const isReplacing = view === 'sign-in' && location.hash === '#replace';
  const first = isReplacing ? '[name=newPassword]' : 'input:not([hidden], [type=hidden]), a.button';
  at(view).querySelector<HTMLElement>(first)?.focus();
}

function showInvite(): void {
  const isOnlyProvider = document.body.dataset.provider === 'only';
  const asksForPassword = signedIn === null && !isOnlyProvider;
  at('invite-account').hidden = !asksForPassword;
  for (const input of at('invite-account').querySelectorAll('input')) {
    input.disabled = !asksForPassword;
  }
  at('accept').hidden = signedIn === null && isOnlyProvider;
  const as = at('invite-as');
  as.hidden = signedIn === null;
  as.textContent = `${as.dataset.text} ${signedIn?.session.user?.email ?? ''}`;
  show('invite');
}

function showSignedIn({ session, browsers }: SignedIn): void {
  const { name, email } = session.user ?? {};
  at('who').textContent = `${name} (${email})`;
  (form('change-password').elements.namedItem('username') as HTMLInputElement).value = email ?? '';
  at('end-others').hidden = browsers.length < 2;
  showSessions(browsers, (button, id) => {
    void attempt(button, () => ask('DELETE', `/api/auth/sessions/${id}`));
  });
  show('signed-in');
}

function say(problem: string): void {
  at('problem').textContent = sentence(problem);
  at('problem').hidden = problem === '';
}

const sentence = (text: string) => text && `${text[0]?.toUpperCase()}${text.slice(1)}.`;

async function attempt(button: HTMLButtonElement, work: () => Promise<unknown>): Promise<void> {
  button.disabled = true;
  say('');
  clearField();
  try {
    await work();
    await refresh();
    showView();
  } catch (error) {
    const { field } = error as Partial<Refused>;
    const own = field && button.closest('form');
    if (!own || !showAtField(own, field.name, sentence(field.message))) say(textOf(error));
  } finally {
    button.disabled = false;
  }
}

function textOf(error: unknown): string {
  const { status = 0, message } = error as Partial<Refused> & Error;
  const isSigningIn = !at('sign-in').hidden;
  const isOld = (error as Partial<Refused>).code === 'recent_sign_in_required';
  const known = (isOld && 'recent') || (isSigningIn && { 401: 'wrong', 429: 'too-many' }[status]);
  const text = known ? (at(known).textContent ?? '') : message;
  return text.replace(/\.$/, '');
}

function onClick(id: string, work: () => Promise<unknown>): void {
  const button = at<HTMLButtonElement>(id);
  button.addEventListener('click', () => void attempt(button, work));
}

function onSubmit(view: View, pathOf: () => string): void {
  const own = form(view);
  own.addEventListener('submit', (event) => {
    event.preventDefault();
    const texts = [...new FormData(own)].filter(([name, text]) => text !== '' && name !== 'next');
    void attempt(own.querySelector('button') as HTMLButtonElement, async () => {
      const body = view === 'invite' && signedIn ? {} : Object.fromEntries(texts);
      await ask('POST', pathOf(), body).catch(askForReplacement);
      own.reset();
      location.replace(wanted());
    });
  });
}

function askForReplacement(error: unknown): never {
  if ((error as Partial<Refused>).code === 'password_change_required') {
    if (at('sign-in').hidden) throw error;
    location.hash = '#replace';
    throw new Error('');
  }
  throw error;
}

function onChangePassword(): void {
  const own = form('change-password');
  own.addEventListener('submit', (event) => {
    event.preventDefault();
    const { currentPassword, newPassword } = Object.fromEntries(new FormData(own));
    at('changed').hidden = true;
    void attempt(own.querySelector('button') as HTMLButtonElement, async () => {
      await ask('POST', '/api/auth/password', { currentPassword, newPassword });
      own.reset();
      at('changed').hidden = false;
    });
  });
}
