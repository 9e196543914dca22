import type { Schemas } from '@switchyard/client';
import { browserName } from './browser-name';
import { at } from './page';

type Browser = Schemas['BrowserSession'];
type End = (button: HTMLButtonElement, id: string) => void;

export function showSessions(browsers: readonly Browser[], end: End): void {
  at('sessions').replaceChildren(...browsers.map((browser) => itemOf(browser, end)));
}

function itemOf(browser: Browser, end: End): HTMLLIElement {
  const { id, current, userAgent, address, lastSeenAt } = browser;
  const words = at('sessions').dataset;
  const item = document.createElement('li');
  const name = userAgent ? browserName(userAgent) : words.browser;
  const lastSeen = new Date(lastSeenAt).toLocaleString(document.documentElement.lang);
  const seen = current ? words.here : `${words.seen} ${lastSeen}`;
  item.textContent = `${name}, ${address ?? words.address}: ${seen} `;
  item.title = userAgent ?? '';
  if (current) return item;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = words.end ?? '';
  button.addEventListener('click', () => end(button, id));
  item.append(button);
  return item;
}
