import { unwrap } from '@switchyard/client';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { api, type Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { useIsOwner } from '../../data/rights';
import { useSend } from '../../data/send';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog';
import { Select, wordOptions } from '../../ui/field';
import { Avatar, Tag } from '../../ui/marks';
import { Page, Panel, Section } from '../../ui/page';
import { Empty, Loading } from '../../ui/states';
import { Ago } from '../../ui/time';
import { SettingsTabs } from '../settings/settings-tabs';
import { InviteForm } from './invite-form';
import { ROLES, type Role } from './roles';

export function PeopleScreen() {
  const session = useRead('/api/auth/session', {});
  const [isInviting, setInviting] = useState(false);
  const isOwner = useIsOwner();
  return (
    <Loading of={session}>
      {({ mode }) =>
        mode === 'local' ? (
          <Page title={t('nav.people')} toolbar={<SettingsTabs />}>
            <Empty icon={Users} title={t('people.local')}>
              {t('people.localText')}
            </Empty>
          </Page>
        ) : (
          <Page
            title={t('nav.people')}
            toolbar={<SettingsTabs />}
            width="measure"
            actions={
              isOwner && (
                <Button tone="primary" icon={UserPlus} onClick={() => setInviting(true)}>
                  {t('people.invite')}
                </Button>
              )
            }
          >
            <Members />
            {isOwner && <Invites />}
            {isInviting && <InviteForm onClose={() => setInviting(false)} />}
          </Page>
        )
      }
    </Loading>
  );
}

function Members() {
  const { id: companyId } = useCompany();
  const isOwner = useIsOwner();
  const [leaving, setLeaving] = useState<Schemas['Member']>();
  const members = useRead('/api/companies/{companyId}/members', { path: { companyId } });
  const changing = useSend(
    ({ memberId, role }: { memberId: string; role: Role }) =>
      unwrap(
        api.PATCH('/api/companies/{companyId}/members/{memberId}', {
          params: { path: { companyId, memberId } },
          body: { role },
        }),
      ),
    { optimistic: ({ memberId, role }) => ({ id: memberId, changes: { role } }) },
  );
  const removing = useSend(
    (memberId: string) =>
      unwrap(
        api.DELETE('/api/companies/{companyId}/members/{memberId}', {
          params: { path: { companyId, memberId } },
        }),
      ),
    { onDone: () => setLeaving(undefined) },
  );
  return (
    <Section title={t('people.members')}>
      <Loading of={members}>
        {(all) => (
          <Panel>
            {all.map((member) => (
              <div
                key={member.id}
                className="flex min-h-12 flex-wrap items-center gap-3 border-b border-line px-4 py-1.5 last:border-0"
              >
                <Avatar name={member.name} isPerson size={24} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{member.name}</span>
                  <span className="block truncate text-sm text-muted">{member.email}</span>
                </span>
                {isOwner ? (
                  <>
                    <Select
                      aria-label={t('people.roleOf', { name: member.name })}
                      className="w-auto"
                      value={member.role}
                      onChange={({ target }) =>
                        changing.mutate({ memberId: member.id, role: target.value as Role })
                      }
                    >
                      {wordOptions('role', ROLES)}
                    </Select>
                    <Button tone="quiet" onClick={() => setLeaving(member)}>
                      {t('people.remove')}
                    </Button>
                  </>
                ) : (
                  <Tag>{word('role', member.role)}</Tag>
                )}
              </div>
            ))}
          </Panel>
        )}
      </Loading>
      {leaving && (
        <ConfirmDialog
          title={t('people.removeTitle', { name: leaving.name })}
          submit={t('people.remove')}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate(leaving.id)}
          onClose={() => setLeaving(undefined)}
        >
          {t('people.removeText')}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function Invites() {
  const { id: companyId } = useCompany();
  const invites = useRead('/api/companies/{companyId}/invites', { path: { companyId } });
  const revoking = useSend((inviteId: string) =>
    unwrap(
      api.DELETE('/api/companies/{companyId}/invites/{inviteId}', {
        params: { path: { companyId, inviteId } },
      }),
    ),
  );
  if (!invites.data?.length) return null;
  return (
    <Section title={t('people.invites')}>
      <Panel>
        {invites.data.map((invite) => (
          <div
            key={invite.id}
            className="flex min-h-12 flex-wrap items-center gap-3 border-b border-line px-4 py-1.5 last:border-0"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">
                {invite.email ?? t('people.anybody')}
              </span>
              <span className="block text-sm text-muted">
                {word('role', invite.role)} ·{' '}
                {t('people.invitedBy', { name: invite.createdByName ?? '–' })} ·{' '}
                {t('people.expires')} <Ago at={invite.expiresAt} />
              </span>
            </span>
            <Button tone="danger" onClick={() => revoking.mutate(invite.id)}>
              {t('people.revoke')}
            </Button>
          </div>
        ))}
      </Panel>
    </Section>
  );
}
