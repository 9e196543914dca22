import type { LinkProps } from '@tanstack/react-router';
import type { Found } from '../../data/find';

export function linkTo(found: Found, company: string): LinkProps {
  if (found.type === 'agent') {
    return { to: '/$company/agents/$agent', params: { company, agent: found.id } };
  }
  if (found.type === 'project') {
    return { to: '/$company/projects/$project', params: { company, project: found.id } };
  }
  return {
    to: '/$company/issues/$issue',
    params: { company, issue: found.identifier ?? found.issueId ?? found.id },
    search: (found.documentKey ? { document: found.documentKey } : {}) as never,
  };
}
