import { useNavigate, useSearch } from '@tanstack/react-router';
import { MessageCircleQuestion, Stamp, UserPlus } from 'lucide-react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { usePages } from '../../data/read';
import { t, word } from '../../i18n';
import { useIsNarrow } from '../../ui/browser/use-is-narrow';
import { Tag } from '../../ui/marks';
import { Page, Tabs } from '../../ui/page';
import { Rows } from '../../ui/rows';
import { Empty, Failure, Skeleton } from '../../ui/states';
import { Ago } from '../../ui/time';

type Approval = Schemas['ListedApproval'];

const TABS = ['pending', 'revision_requested', 'approved', 'rejected', 'all'] as const;

export function ApprovalsScreen() {
  const company = useCompany();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const { status = 'pending' } = useSearch({ from: '/$company' });
  const approvals = usePages('/api/companies/{companyId}/approvals', {
    path: { companyId: company.id },
    query: status === 'all' ? {} : { status: status as Approval['status'] },
  });
  return (
    <Page
      title={t('nav.approvals')}
      toolbar={
        <Tabs
          tabs={TABS.map((tab) => ({
            label: tab === 'all' ? t('filter.all') : word('approvalStatus', tab),
            link: {
              to: '/$company/approvals',
              params: { company: company.issuePrefix },
              search: tab === 'pending' ? {} : { status: tab },
            },
          }))}
        />
      }
    >
      {approvals.items ? (
        approvals.items.length > 0 ? (
          <Rows
            label={t('nav.approvals')}
            rows={approvals.items}
            idOf={({ id }) => id}
            height={isNarrow ? 64 : 44}
            onEnd={() => approvals.hasNextPage && void approvals.fetchNextPage()}
            onOpen={({ id }) => open(id)}
            render={(approval) => (
              <ApprovalRow approval={approval} onOpen={() => open(approval.id)} />
            )}
          />
        ) : (
          <Empty icon={Stamp} title={t('approvals.empty')}>
            {t('approvals.emptyText')}
          </Empty>
        )
      ) : approvals.error ? (
        <Failure error={approvals.error} onRetry={() => void approvals.refetch()} />
      ) : (
        <Skeleton />
      )}
    </Page>
  );

  function open(approval: string) {
    const params = { company: company.issuePrefix, approval };
    void navigate({ to: '/$company/approvals/$approval', params });
  }
}

const ICONS = {
  board_question: MessageCircleQuestion,
  hire_agent: UserPlus,
  approve_ceo_strategy: Stamp,
} as const;

function ApprovalRow({ approval, onOpen }: { approval: Approval; onOpen: () => void }) {
  const Icon = ICONS[approval.type];
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex size-full items-center gap-3 px-4 text-left max-md:flex-wrap max-md:gap-x-2 max-md:gap-y-0 max-md:py-1.5"
    >
      <Icon size={15} className="shrink-0 text-muted" aria-hidden />
      <span className="min-w-0 flex-1 truncate font-medium">{approval.title}</span>
      {approval.hire && (
        <span className="truncate text-sm text-muted max-lg:hidden">
          {approval.hire.adapterType}
          {approval.hire.managerName &&
            ` · ${t('approvals.reportsTo', { name: approval.hire.managerName })}`}
        </span>
      )}
      <span className="basis-0 max-md:basis-full" />
      <span className="w-40 truncate text-sm text-muted max-md:w-auto max-md:flex-1">
        {approval.requestedByName ?? t('nav.people')}
      </span>
      <StatusTag status={approval.status} />
      <Ago at={approval.createdAt} className="w-16 shrink-0 text-right text-sm text-muted" />
    </button>
  );
}

const TONES = {
  pending: 'live',
  resubmitted: 'live',
  revision_requested: 'warn',
  approved: 'good',
  rejected: 'bad',
} as const;

export const StatusTag = ({ status }: { status: Approval['status'] }) => (
  <Tag tone={TONES[status]}>{word('approvalStatus', status)}</Tag>
);
