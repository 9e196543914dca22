import { type Messages, setupI18n } from '@lingui/core';
import type en from './i18n/en.json';
import type activity from './screens/activity/texts/en.json';
import type routines from './screens/routines/texts/en.json';
import type runners from './screens/runners/texts/en.json';
import type settings from './screens/settings/texts/en.json';
import type webhooks from './screens/webhooks/texts/en.json';
import type transcript from './ui/log-view/transcript/texts/en.json';

export type Key =
  | keyof typeof en
  | keyof typeof activity
  | keyof typeof routines
  | keyof typeof runners
  | keyof typeof settings
  | keyof typeof webhooks
  | keyof typeof transcript;

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

export type Catalogues = Record<Language, () => Promise<{ default: unknown }>>;

const CATALOGUES: Catalogues = {
  en: () => import('./i18n/en.json'),
  de: () => import('./i18n/de.json'),
};

const i18n = setupI18n();

export const t = (key: Key, values?: Record<string, unknown>): string => i18n._(key, values);

export const word = (
  group: string,
  value: string,
  otherwise = value.replaceAll('_', ' '),
): string => {
  const key = `${group}.${value}`;
  return key in i18n.messages ? i18n._(key) : otherwise;
};

export const language = (): Language => i18n.locale as Language;

export async function loadLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(KEPT), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  const chosen = wanted.find((tag): tag is Language => tag !== null && tag in LANGUAGES) ?? 'en';
  const { default: messages } = await CATALOGUES[chosen]();
  i18n.loadAndActivate({ locale: chosen, messages: messages as Messages });
  document.documentElement.lang = chosen;
}

export async function loadTexts(catalogues: Catalogues): Promise<void> {
  const { default: messages } = await catalogues[language()]();
  i18n.load(i18n.locale, messages as Messages);
}

/** Reloads the page, because a render does not update titles, formats and caches. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(KEPT, next);
  location.reload();
}

const KEPT = 'language';
