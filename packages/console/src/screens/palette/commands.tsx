import type { LinkProps } from '@tanstack/react-router';
import { Keyboard, Languages, Plus, SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCompany, useCompanyChoice } from '../../data/company';
import { useMayWrite } from '../../data/rights';
import { PLACES } from '../../frame/navigation';
import type { Overlay } from '../../frame/overlays';
import { chooseLanguage, LANGUAGES, type Language, language, t, word } from '../../i18n';
import { chooseTheme, chosenTheme, type Theme } from '../../ui/browser/theme';
import { Avatar } from '../../ui/marks';

export interface Command {
  id: string;
  group: string;
  label: string;
  hint?: string;
  keys?: string;
  mark?: ReactNode;
  run: () => void;
}

interface CommandOptions {
  typed: string;
  go: (link: LinkProps) => void;
  onClose: () => void;
  onOpen: (overlay: Overlay) => void;
}

export function useCommands({ typed, go, onClose, onOpen }: CommandOptions): Command[] {
  const company = useCompany();
  const mayWrite = useMayWrite();
  const companies = useCompanyChoice();
  const params = { company: company.issuePrefix } as never;
  const actions: Command[] = [
    {
      id: 'keys',
      group: t('palette.actions'),
      label: t('key.help'),
      keys: '?',
      mark: <Keyboard size={15} aria-hidden />,
      run: () => onOpen('keys'),
    },
    ...THEMES.filter((theme) => theme !== chosenTheme()).map(
      (theme): Command => ({
        id: `theme ${theme}`,
        group: t('palette.actions'),
        label: t('palette.theme', { theme: word('theme', theme) }),
        mark: <SunMoon size={15} aria-hidden />,
        run: () => {
          chooseTheme(theme);
          onClose();
        },
      }),
    ),
    ...(Object.keys(LANGUAGES) as Language[])
      .filter((each) => each !== language())
      .map(
        (each): Command => ({
          id: `language ${each}`,
          group: t('palette.actions'),
          label: t('palette.language', { language: LANGUAGES[each] }),
          mark: <Languages size={15} aria-hidden />,
          run: () => chooseLanguage(each),
        }),
      ),
  ];
  if (mayWrite) {
    actions.unshift({
      id: 'new issue',
      group: t('palette.actions'),
      label: t('key.newIssue'),
      keys: 'c',
      mark: <Plus size={15} aria-hidden />,
      run: () => onOpen('new-issue'),
    });
  }
  const pages = PLACES.flatMap(({ places }) => places).map(
    ({ to, label, icon: Icon, letter }): Command => ({
      id: `page ${to}`,
      group: t('palette.pages'),
      label: t(label),
      ...(letter && { keys: `g ${letter}` }),
      mark: <Icon size={15} aria-hidden />,
      run: () => go({ to, params }),
    }),
  );
  const others = (companies.data ?? []).filter(({ id }) => id !== company.id);
  const switches = others.map(
    ({ id, name, issuePrefix }): Command => ({
      id: `company ${id}`,
      group: t('palette.companies'),
      label: name,
      hint: issuePrefix,
      mark: <Avatar name={name} size={16} />,
      run: () => go({ to: '/$company', params: { company: issuePrefix } as never }),
    }),
  );
  const all = [...pages, ...actions, ...switches];
  return typed.trim() === ''
    ? [...actions.slice(0, 1), ...pages, ...actions.slice(1)]
    : named(all, typed);
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

function named(commands: readonly Command[], typed: string): Command[] {
  const wanted = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, hint = '' }) => {
    const words = `${label} ${hint}`.toLocaleLowerCase().split(/[\s:]+/);
    return wanted.every((each) => words.some((one) => one.startsWith(each)));
  });
}
