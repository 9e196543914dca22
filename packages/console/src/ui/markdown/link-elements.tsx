import { Link } from '@tanstack/react-router';
import { createElement, Fragment, type ReactNode } from 'react';
import { useCompany } from '../../data/company';
import { targetOf } from './links';
import type { Piece, References } from './references';

const LINK =
  'text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent';

export function linked(
  address: string | undefined,
  asText: () => ReactNode,
  asLink: () => ReactNode,
): ReactNode {
  const target = targetOf(address ?? '');
  if (!target) return asText();
  if (target.kind === 'agent') return <ToAgent agentId={target.agentId}>{asLink()}</ToAgent>;
  return <Outside href={target.href}>{asLink()}</Outside>;
}

export function pictured(address: string | undefined, alt: string, isLinked: boolean): ReactNode {
  const target = targetOf(address ?? '');
  const label = alt || address;
  if (target?.kind === 'attachment') {
    return (
      <img src={target.href} alt={alt} loading="lazy" className="max-h-96 max-w-full rounded" />
    );
  }
  if (target?.kind !== 'outside' || isLinked) return label;
  return <Outside href={target.href}>{label}</Outside>;
}

export const referring = (text: string, references: References): ReactNode =>
  createElement(Fragment, null, ...references(text).map(referred));

function referred(piece: Piece): ReactNode {
  switch (piece.kind) {
    case 'agent':
      return <ToAgent agentId={piece.agentId}>{piece.text}</ToAgent>;
    case 'board':
      return (
        <span className="rounded bg-warn-soft px-0.5 font-medium text-warn">{piece.text}</span>
      );
    case 'issue':
      return <ToIssue identifier={piece.identifier}>{piece.text}</ToIssue>;
    case 'address':
      return linked(
        piece.text,
        () => piece.text,
        () => piece.text,
      );
    default:
      return piece.text;
  }
}

const Outside = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={LINK}>
    {children}
  </a>
);

function ToAgent({ agentId, children }: { agentId: string; children: ReactNode }) {
  const { issuePrefix } = useCompany();
  return (
    <Link
      to="/$company/agents/$agent"
      params={{ company: issuePrefix, agent: agentId }}
      className="rounded bg-selected px-0.5 font-medium text-accent hover:underline"
    >
      {children}
    </Link>
  );
}

function ToIssue({ identifier, children }: { identifier: string; children: ReactNode }) {
  const { issuePrefix } = useCompany();
  return (
    <Link
      to="/$company/issues/$issue"
      params={{ company: issuePrefix, issue: identifier }}
      className={LINK}
    >
      {children}
    </Link>
  );
}
