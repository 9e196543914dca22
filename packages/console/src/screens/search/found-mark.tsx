import { FileText, FolderKanban, MessageSquare } from 'lucide-react';
import type { Found } from '../../data/find';
import { Avatar, StatusMark } from '../../ui/marks';

export function FoundMark({ found }: { found: Found }) {
  if (found.type === 'agent') return <Avatar name={found.title} size={16} />;
  if (found.type === 'project') return <FolderKanban size={15} aria-hidden />;
  if (found.type === 'comment') return <MessageSquare size={15} aria-hidden />;
  if (found.type === 'document') return <FileText size={15} aria-hidden />;
  return <StatusMark of="issue" status={found.issueStatus ?? 'todo'} />;
}
