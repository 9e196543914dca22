const at = (id) => document.getElementById(id);
const VIEWS = ['sign-in', 'bootstrap', 'invite', 'signed-in'];

let session = null;
let browsers = [];

function show(view) {
  for (const id of VIEWS) at(id).hidden = id !== view;
  at(view).querySelector('input, button')?.focus();
}

function say(problem) {
  at('problem').textContent = problem && `${problem[0].toUpperCase()}${problem.slice(1)}.`;
  at('problem').hidden = problem === '';
}

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  const content = answer.status === 204 ? null : await answer.json();
  if (answer.ok) return content;
  const problem = new Error(content.error);
  problem.status = answer.status;
  throw problem;
}

async function readSession() {
  try {
    session = await ask('GET', '/api/auth/session');
    browsers = await ask('GET', '/api/auth/sessions');
  } catch (problem) {
    session = null;
    if (problem.status !== 401) throw problem;
  }
}

const inviteToken = () => /^#invite=([\w-]{43})$/.exec(location.hash)?.[1];

const time = (text) => new Date(text).toLocaleString();

const BROWSERS = [
  [/Edg\w*\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** The browser and system that a User-Agent claims; the text itself where it names none that is known. */
function browserName(userAgent) {
  const find = (names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : userAgent;
}

function sessionItem({ id, current, userAgent, address, lastSeenAt }) {
  const item = document.createElement('li');
  const seen = current ? 'this browser' : `last seen ${time(lastSeenAt)}`;
  const browser = userAgent ? browserName(userAgent) : 'unknown browser';
  item.textContent = `${browser}, ${address ?? 'unknown address'}: ${seen} `;
  item.title = userAgent ?? '';
  if (current) return item;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Sign out there';
  button.addEventListener('click', () => {
    void attempt(button, () => ask('DELETE', `/api/auth/sessions/${id}`));
  });
  item.append(button);
  return item;
}

function showSessions() {
  at('sessions').replaceChildren(...browsers.map(sessionItem));
  at('end-others').hidden = browsers.length < 2;
  at('change-password').elements.username.value = session.user.email;
}

function showSession() {
  const { user, memberships } = session;
  at('who').textContent = `${user.name} (${user.email})`;
  const items = memberships.map(({ companyName, role }) => {
    const item = document.createElement('li');
    item.textContent = `${companyName}: ${role}`;
    return item;
  });
  at('memberships').replaceChildren(...items);
  at('no-memberships').hidden = items.length > 0;
  showSessions();
  show('signed-in');
}

function showInvite() {
  at('invite-account').hidden = session !== null;
  for (const input of at('invite-account').querySelectorAll('input')) {
    input.disabled = session !== null;
  }
  at('invite-as').hidden = session === null;
  at('invite-as').textContent = session ? `You join as ${session.user.email}.` : '';
  show('invite');
}

function showView() {
  if (inviteToken()) showInvite();
  else if (session) showSession();
  else show(location.hash === '#bootstrap' ? 'bootstrap' : 'sign-in');
}

/** Runs one thing that was asked for, its button locked meanwhile, and tells what went wrong. */
async function attempt(button, work) {
  button.disabled = true;
  say('');
  try {
    await work();
    await readSession();
    showView();
  } catch (problem) {
    say(problem.message || 'the server cannot be reached');
  } finally {
    button.disabled = false;
  }
}

function onSubmit(id, pathOf) {
  at(id).addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.target;
    const given = [...new FormData(form)].filter(([, text]) => text !== '');
    void attempt(form.querySelector('button'), async () => {
      const isSignedIn = id === 'invite' && session !== null;
      await ask('POST', pathOf(), isSignedIn ? {} : Object.fromEntries(given));
      form.reset();
      history.replaceState(null, '', location.pathname);
    });
  });
}

onSubmit('sign-in', () => '/api/auth/login');
onSubmit('bootstrap', () => '/api/auth/bootstrap');
onSubmit('invite', () => `/api/auth/invites/${inviteToken()}/accept`);
at('sign-out').addEventListener('click', (event) => {
  void attempt(event.target, () => ask('POST', '/api/auth/logout'));
});
at('end-others').addEventListener('click', (event) => {
  void attempt(event.target, () => ask('DELETE', '/api/auth/sessions'));
});
at('change-password').addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.target;
  const { currentPassword, newPassword } = form.elements;
  const body = { currentPassword: currentPassword.value, newPassword: newPassword.value };
  at('changed').hidden = true;
  void attempt(form.querySelector('button'), async () => {
    await ask('POST', '/api/auth/password', body);
    form.reset();
    at('changed').hidden = false;
  });
});
addEventListener('hashchange', () => {
  say('');
  showView();
});

void readSession()
  .catch((problem) => say(problem.message))
  .then(showView);
