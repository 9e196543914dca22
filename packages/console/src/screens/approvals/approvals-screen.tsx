import { useNavigate, useSearch } from '@tanstack/react-router';
import { MessageCircleQuestion, Stamp, UserPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { usePeople } from '../../data/directory';
import { usePages } from '../../data/read';
import { useMayWrite } from '../../data/rights';
import { t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';
import { Button } from '../../ui/button';
import { classNames } from '../../ui/class-names';
import { ListScreen } from '../../ui/list-screen';
import { Avatar, Tag } from '../../ui/marks';
import { Tabs } from '../../ui/page';
import { Empty } from '../../ui/states';
import { Ago } from '../../ui/time';

type Approval = Schemas['ListedApproval'];

const TABS = ['pending', 'revision_requested', 'approved', 'rejected', 'all'] as const;

export function ApprovalsScreen() {
  const company = useCompany();
  const navigate = useNavigate();
  const { status = 'pending' } = useSearch({ from: '/$company' });
  const approvals = usePages('/api/companies/{companyId}/approvals', {
    path: { companyId: company.id },
    query: status === 'all' ? {} : { status: status as Approval['status'] },
  });
  const mayWrite = useMayWrite();
  const [decided, setDecided] = useState<string>();
  const open = (approval: string) => {
    const params = { company: company.issuePrefix, approval };
    void navigate({ to: '/$company/approvals/$approval', params });
  };
  return (
    <ListScreen
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
      of={approvals}
      rows={approvals.items}
      heights={[44, 64]}
      heads={[
        ['', 'w-4'],
        [t('approvals.request'), 'flex-1'],
        [t('approval.askedBy'), CELLS.asker],
        [t('approvals.asked'), CELLS.time],
        [t('approvals.decided'), CELLS.decision],
        ...(mayWrite ? ([['', CELLS.action]] as const) : []),
      ]}
      empty={
        <Empty icon={Stamp} title={t('approvals.empty')}>
          {t('approvals.emptyText')}
        </Empty>
      }
      onOpen={({ id }) => open(id)}
      render={(approval) => (
        <ApprovalRow
          approval={approval}
          onOpen={() => open(approval.id)}
          onDecide={mayWrite ? () => setDecided(approval.id) : undefined}
        />
      )}
    >
      <Suspense>
        {decided && <DecideDialog approvalId={decided} onClose={() => setDecided(undefined)} />}
      </Suspense>
    </ListScreen>
  );
}

const DecideDialog = lazy(() =>
  import('../approval/decide-dialog').then(({ DecideDialog }) => ({ default: DecideDialog })),
);

const ICONS = {
  board_question: MessageCircleQuestion,
  hire_agent: UserPlus,
  approve_ceo_strategy: Stamp,
} as const;

const CELLS = {
  asker: 'w-36 shrink-0',
  time: 'w-20 shrink-0',
  decision: 'w-56 shrink-0 max-lg:hidden',
  action: 'w-24 shrink-0',
};

interface RowProps {
  approval: Approval;
  onOpen: () => void;
  onDecide: (() => void) | undefined;
}

function ApprovalRow({ approval, onOpen, onDecide }: RowProps) {
  const { type, title, hire, requestedByName, status, createdAt, decidedAt } = approval;
  const Icon = ICONS[type];
  const isOpen = status === 'pending' || status === 'resubmitted';
  return (
    <div className="flex h-full items-center gap-3 px-4 max-md:flex-wrap max-md:content-center max-md:gap-x-2 max-md:gap-y-0">
      <Icon size={16} className="shrink-0 text-muted" aria-hidden />
      <button
        type="button"
        onClick={onOpen}
        className="group flex min-h-6 min-w-0 flex-1 items-baseline gap-2 overflow-hidden text-left max-md:basis-[calc(100%-2rem)]"
      >
        <span className="max-w-full shrink-0 truncate font-medium group-hover:underline">
          {title}
        </span>
        {hire && (
          <span className="min-w-0 truncate text-sm text-muted max-md:hidden">
            {[
              word('adapter', hire.adapterType),
              hire.managerName && t('approvals.reportsTo', { name: hire.managerName }),
              hire.budgetMonthlyCents > 0
                ? `${formatCents(hire.budgetMonthlyCents)} ${t('money.perMonth')}`
                : t('money.unlimited'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )}
      </button>
      <span
        className={classNames(
          CELLS.asker,
          'flex items-center gap-1.5 text-sm max-md:w-auto max-md:min-w-0 max-md:flex-1',
        )}
      >
        <Avatar name={requestedByName ?? '?'} isPerson={!approval.requestedByAgentId} size={18} />
        <span className="truncate">{requestedByName ?? t('approval.aPerson')}</span>
      </span>
      <Ago
        at={createdAt}
        className={classNames(CELLS.time, 'text-sm whitespace-nowrap text-muted')}
      />
      <span className={classNames(CELLS.decision, 'flex items-center gap-2 text-sm text-muted')}>
        <StatusTag status={status} />
        {decidedAt && (
          <span className="truncate">
            <DecidedBy userId={approval.decidedByUserId} /> <Ago at={decidedAt} />
          </span>
        )}
      </span>
      {onDecide && (
        <span className={classNames(CELLS.action, 'text-right max-md:ml-auto')}>
          {isOpen && (
            <Button aria-label={`${t(DECISIONS[type])}: ${title}`} onClick={onDecide}>
              {t(DECISIONS[type])}
            </Button>
          )}
        </span>
      )}
    </div>
  );
}

const DECISIONS = {
  board_question: 'approval.answer',
  hire_agent: 'approval.decide',
  approve_ceo_strategy: 'approval.decide',
} as const;

export function DecidedBy({ userId }: { userId: string | null }) {
  const people = usePeople();
  return people.find((person) => person.userId === userId)?.name ?? t('person.board');
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
