import { unwrap } from '@switchyard/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useHeld } from '../../data/draft';
import { useRead } from '../../data/read';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { FormDialog } from '../../ui/dialogs/form-dialog';
import { InputField, SelectField, wordOptions } from '../../ui/field';
import { Panel, Section } from '../../ui/page';
import { Loading } from '../../ui/states';
import { Ago } from '../../ui/time';

export function Tokens() {
  const tokens = useRead('/api/auth/tokens', {}, { staleTime: 0 });
  const [isCreating, setCreating] = useState(false);
  const revoking = useSend(
    (tokenId: string) =>
      unwrap(api.DELETE('/api/auth/tokens/{tokenId}', { params: { path: { tokenId } } })),
    { onDone: () => void tokens.refetch() },
  );
  return (
    <Section
      title={t('tokens.title')}
      aside={
        <Button tone="quiet" icon={Plus} onClick={() => setCreating(true)}>
          {t('tokens.new')}
        </Button>
      }
    >
      <Loading of={tokens}>
        {(all) =>
          all.length === 0 ? (
            <p className="text-sm text-muted">{t('tokens.empty')}</p>
          ) : (
            <Panel>
              {all.map((token) => (
                <div
                  key={token.id}
                  className="flex min-h-12 items-center gap-3 border-b border-line px-4 py-1.5 last:border-0"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium">{token.name}</span>
                    <span className="block text-sm text-muted">
                      <span className="font-mono">{token.prefix}…</span> ·{' '}
                      {word('tokenScope', token.scope)} · {t('people.expires')}{' '}
                      <Ago at={token.expiresAt} />
                    </span>
                  </span>
                  <Button tone="danger" onClick={() => revoking.mutate(token.id)}>
                    {t('people.revoke')}
                  </Button>
                </div>
              ))}
            </Panel>
          )
        }
      </Loading>
      {isCreating && (
        <CreateToken
          onClose={() => {
            setCreating(false);
            void tokens.refetch();
          }}
        />
      )}
    </Section>
  );
}

type Scope = Schemas['PersonalToken']['scope'];
const FIRST = { name: '', scope: 'read' } as const;

function CreateToken({ onClose }: { onClose: () => void }) {
  const held = useHeld<{ name: string; scope: Scope }>('personal token', FIRST);
  const { name, scope } = held.value;
  const [userCode, setUserCode] = useState('');
  const [token, setToken] = useState<string>();
  const creating = useSend(
    () => {
      const code = userCode.trim() ? { userCode: userCode.trim() } : {};
      return unwrap(api.POST('/api/auth/tokens', { body: { name: name.trim(), scope, ...code } }));
    },
    { onDone: (created) => (created.token === undefined ? onClose() : setToken(created.token)) },
  );
  if (token !== undefined) {
    return (
      <FormDialog
        title={t('tokens.new')}
        isDone
        submit={t('action.close')}
        onSubmit={onClose}
        onClose={onClose}
      >
        <InputField
          label={t('tokens.token')}
          hint={t('tokens.once')}
          readOnly
          value={token}
          className="w-full font-mono"
        />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={t('tokens.new')}
      submit={t('action.create')}
      held={held}
      isBusy={creating.isPending}
      isIncomplete={!name.trim()}
      onSubmit={() => creating.mutate(undefined)}
      onClose={onClose}
    >
      <InputField
        name="name"
        label={t('field.name')}
        hint={t('tokens.nameHint')}
        value={name}
        onChange={({ target }) => held.change({ name: target.value })}
      />
      <SelectField
        label={t('tokens.scope')}
        value={scope}
        onChange={({ target }) => held.change({ scope: target.value as Scope })}
      >
        {wordOptions('tokenScope', ['read', 'write'] as const)}
      </SelectField>
      <InputField
        label={t('tokens.code')}
        hint={t('tokens.codeHint')}
        value={userCode}
        onChange={({ target }) => setUserCode(target.value)}
        className="font-mono"
      />
    </FormDialog>
  );
}
