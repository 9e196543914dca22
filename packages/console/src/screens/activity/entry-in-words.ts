import type { Schemas } from '../../data/api';
import { word } from '../../i18n';
import { formatCents } from '../../i18n/formats';

type Entry = Pick<Schemas['ListedActivity'], 'entity' | 'details' | 'entityType'>;

export function subjectOf({ entity, details }: Entry): string {
  const kept = [details.identifier, details.title ?? details.name];
  return (entity ? [entity.identifier, entity.name] : kept).filter(isText).join(' ');
}

export function changeOf({ details, entityType }: Entry): string {
  const { from, to, status, reason, costCents } = details;
  const said = (value: string) => (entityType === 'issue' ? word('issueStatus', value) : value);
  const moved = isText(from) && isText(to) ? `${said(from)} → ${said(to)}` : '';
  const cost = typeof costCents === 'number' ? formatCents(costCents) : '';
  const change = moved || (isText(status) ? said(status) : cost);
  return [change, isText(reason) ? reason : ''].filter(Boolean).join(' · ');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
