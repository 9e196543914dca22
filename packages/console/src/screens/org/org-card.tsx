import { Link } from '@tanstack/react-router';
import type { DragEventHandler } from 'react';
import { useCompany } from '../../data/company';
import { Avatar, StatusMark } from '../../ui/marks';
import { type ListedAgent, reasonOf } from '../agents/agent-reason';

interface OrgCardProps {
  agent: ListedAgent;
  className?: string;
  draggable?: boolean;
  onDragStart?: DragEventHandler;
}

export function OrgCard({ agent, className, draggable = false, onDragStart }: OrgCardProps) {
  const { issuePrefix: company } = useCompany();
  return (
    <Link
      to="/$company/agents/$agent"
      params={{ company, agent: agent.id }}
      data-agent={agent.id}
      draggable={draggable}
      onDragStart={onDragStart}
      title={reasonOf(agent)}
      className={`flex items-center gap-2.5 hover:bg-hover ${className ?? ''}`}
    >
      <Avatar name={agent.name} size={28} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5">
          <span className="truncate font-medium">{agent.name}</span>
          <StatusMark of="agent" status={agent.status} />
        </span>
        <span className="block truncate text-xs text-muted">{agent.title ?? agent.role}</span>
      </span>
    </Link>
  );
}
