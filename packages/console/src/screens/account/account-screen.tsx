import { unwrap } from '@switchyard/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../data/api';
import { lastCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { chooseLanguage, LANGUAGES, type Language, language, t } from '../../i18n';
import { browserName } from '../../sign-in/browser-name';
import { chooseTheme, chosenTheme, type Theme } from '../../ui/browser/theme';
import { Button } from '../../ui/button';
import { InputField, options, SelectField, wordOptions } from '../../ui/field';
import { Page, Panel, Section } from '../../ui/page';
import { Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { Tokens } from './tokens';

export function AccountScreen() {
  const session = useRead('/api/auth/session', {});
  const back = lastCompany();
  return (
    <div className="flex h-dvh flex-col">
      <Loading of={session}>
        {({ user, mode }) => (
          <Page
            title={user?.name ?? t('frame.account')}
            aside={user?.email}
            width="measure"
            actions={
              <>
                <Link
                  to={back ? '/$company' : '/'}
                  params={{ company: back ?? '' }}
                  className="px-2 text-sm text-accent hover:underline"
                >
                  {t('action.back')}
                </Link>
                {mode === 'authenticated' && <SignOut />}
              </>
            }
          >
            <Appearance />
            {mode === 'local' ? (
              <p className="text-sm text-muted">{t('account.local')}</p>
            ) : (
              <>
                <Password />
                <Sessions />
                <Tokens />
              </>
            )}
          </Page>
        )}
      </Loading>
    </div>
  );
}

function SignOut() {
  const signingOut = useSend(() => unwrap(api.POST('/api/auth/logout')), {
    onDone: () => location.assign('/sign-in'),
  });
  return <Button onClick={() => signingOut.mutate(undefined)}>{t('account.signOut')}</Button>;
}

function Appearance() {
  const [theme, setTheme] = useState(chosenTheme());
  return (
    <Section title={t('account.appearance')}>
      <div className="grid gap-3 md:grid-cols-2">
        <SelectField
          label={t('account.theme')}
          value={theme}
          onChange={({ target }) => {
            const next = target.value as Theme;
            setTheme(next);
            chooseTheme(next);
          }}
        >
          {wordOptions('theme', ['system', 'light', 'dark'] as const)}
        </SelectField>
        <SelectField
          label={t('account.language')}
          value={language()}
          onChange={({ target }) => chooseLanguage(target.value as Language)}
        >
          {options(Object.entries(LANGUAGES))}
        </SelectField>
      </div>
    </Section>
  );
}

function Password() {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const changing = useSend(
    () => unwrap(api.POST('/api/auth/password', { body: { currentPassword, newPassword } })),
    {
      onDone: () => {
        setCurrent('');
        setNew('');
        showToast({ text: t('account.passwordChanged') });
      },
    },
  );
  return (
    <Section title={t('account.password')}>
      <form
        className="grid gap-3 md:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          changing.mutate(undefined);
        }}
      >
        <InputField
          label={t('account.currentPassword')}
          type="password"
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <InputField
          label={t('account.newPassword')}
          type="password"
          autoComplete="new-password"
          required
          value={newPassword}
          onChange={({ target }) => setNew(target.value)}
        />
        <Button type="submit" className="justify-self-start" isBusy={changing.isPending}>
          {t('account.changePassword')}
        </Button>
      </form>
    </Section>
  );
}

function Sessions() {
  const sessions = useRead('/api/auth/sessions', {}, { staleTime: 0 });
  const ending = useSend(
    (sessionId: string) =>
      unwrap(api.DELETE('/api/auth/sessions/{sessionId}', { params: { path: { sessionId } } })),
    { onDone: () => void sessions.refetch() },
  );
  return (
    <Section title={t('account.sessions')}>
      <Loading of={sessions}>
        {(all) => (
          <Panel>
            {all.map((each) => (
              <div
                key={each.id}
                className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-1.5 last:border-0"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-sm">
                    {each.userAgent ? browserName(each.userAgent) : '–'}
                  </span>
                  <span className="block text-sm text-muted">
                    {each.address} · {t('account.lastSeen')} <Ago at={each.lastSeenAt} />
                  </span>
                </span>
                {each.current ? (
                  <span className="text-sm text-good">{t('account.thisOne')}</span>
                ) : (
                  <Button onClick={() => ending.mutate(each.id)}>{t('account.endSession')}</Button>
                )}
              </div>
            ))}
          </Panel>
        )}
      </Loading>
    </Section>
  );
}
