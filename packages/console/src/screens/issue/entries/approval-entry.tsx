import { Link } from '@tanstack/react-router';
import { Stamp } from 'lucide-react';
import type { Schemas } from '../../../data/api';
import { useCompany } from '../../../data/company';
import { t, word } from '../../../i18n';
import { Tag } from '../../../ui/marks';
import { Line } from './line';

const TONES = {
  pending: 'warn',
  resubmitted: 'warn',
  revision_requested: 'live',
  approved: 'good',
  rejected: 'bad',
} as const;

export function ApprovalEntry({ approval }: { approval: Schemas['ListedApproval'] }) {
  const { issuePrefix } = useCompany();
  const { id, title, status, requestedByName, decisionNote, createdAt } = approval;
  return (
    <Line mark={<Stamp size={14} aria-hidden />} at={createdAt} below={decisionNote}>
      {t('issue.askedApproval', { name: requestedByName ?? t('issue.someone') })}{' '}
      <Link
        to="/$company/approvals/$approval"
        params={{ company: issuePrefix, approval: id }}
        className="text-accent underline hover:no-underline"
      >
        {title}
      </Link>{' '}
      <Tag tone={TONES[status]}>{word('approvalStatus', status)}</Tag>
    </Line>
  );
}
