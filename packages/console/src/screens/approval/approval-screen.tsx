import { Link, useParams } from '@tanstack/react-router';
import type { Schemas } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { Markdown } from '../../ui/markdown/markdown';
import { StatusMark } from '../../ui/marks';
import { Page, Panel, Section } from '../../ui/page';
import { Loading, Notice } from '../../ui/states';
import { Ago } from '../../ui/time';
import { DecidedBy, StatusTag } from '../approvals/approvals-screen';
import { Deadline } from './deadline';
import { Decide } from './decide';
import { Discussion } from './discussion';
import { bodyOf, RequestFacts, titleOf } from './request-facts';

export function ApprovalScreen() {
  const { approval: approvalId } = useParams({ strict: false }) as { approval: string };
  const approval = useRead('/api/approvals/{approvalId}', { path: { approvalId } });
  return (
    <Loading of={approval}>
      {(data) => (
        <Page title={titleOf(data)} aside={<StatusTag status={data.status} />} width="measure">
          <Request approval={data} />
          <Decide approval={data} />
          <Deadline approval={data} />
          <About approvalId={approvalId} />
          <Discussion approval={data} />
        </Page>
      )}
    </Loading>
  );
}

function Request({ approval }: { approval: Schemas['Approval'] }) {
  const { type, payload, decision, decisionNote, decidedAt, decidedByUserId } = approval;
  const body = bodyOf(approval);
  return (
    <Section title={word('approvalType', type)}>
      <Panel className="p-4">
        {body && <Markdown className="mb-3 last:mb-0" text={body} />}
        <RequestFacts approval={approval} />
      </Panel>
      {decidedAt && (
        <div className="mt-3">
          <Notice tone={approval.status === 'rejected' ? 'bad' : 'good'}>
            {[
              word('approvalStatus', approval.status),
              decision?.option && optionLabel(payload, decision.option),
              decision?.note ?? decisionNote,
            ]
              .filter(Boolean)
              .join(' · ')}
            {' · '}
            <DecidedBy userId={decidedByUserId} /> <Ago at={decidedAt} />
          </Notice>
        </div>
      )}
    </Section>
  );
}

function optionLabel(payload: Record<string, unknown>, key: string): string {
  const options = Array.isArray(payload.options)
    ? (payload.options as { key: string; label: string }[])
    : [];
  return options.find((option) => option.key === key)?.label ?? key;
}

function About({ approvalId }: { approvalId: string }) {
  const { issuePrefix } = useCompany();
  const issues = useRead('/api/approvals/{approvalId}/issues', { path: { approvalId } });
  if (!issues.data?.length) return null;
  return (
    <Section title={t('approval.about')}>
      <Panel>
        {issues.data.map((issue) => (
          <Link
            key={issue.id}
            to="/$company/issues/$issue"
            params={{ company: issuePrefix, issue: issue.identifier }}
            className="flex min-h-11 items-center gap-3 border-b border-line px-4 last:border-0 hover:bg-hover"
          >
            <StatusMark of="issue" status={issue.status} />
            <span className="w-16 shrink-0 text-sm text-muted">{issue.identifier}</span>
            <span className="min-w-0 flex-1 truncate">{issue.title}</span>
          </Link>
        ))}
      </Panel>
    </Section>
  );
}
