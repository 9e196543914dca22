import type { Schemas } from '../../data/api';
import { type Key, t, word } from '../../i18n';
import { formatCents } from '../../i18n/formats';

type Entry = Pick<
  Schemas['ListedActivity'],
  'action' | 'actorName' | 'actorType' | 'details' | 'entity' | 'entityType'
>;

const OF_RUNS = /^heartbeat\.(?:started|succeeded|failed|timed_out|cancelled)$/;

/** Returns the agent for events of its run, although the service is recorded as their actor. */
export function actorOf({ action, entity, actorName, actorType }: Entry): string {
  return (OF_RUNS.test(action) && entity?.name) || (actorName ?? word('actor', actorType));
}

export function sentenceOf(entry: Entry): string[] {
  const { action, details, entity, entityType } = entry;
  const { from, to } = details;
  const isMove = entityType === 'issue' && isText(from) && isText(to);
  const name = isMove && action === 'issue.updated' ? 'issue_moved' : action.replace('.', '_');
  const values = {
    subject: marked(subjectOf(entry)),
    agent: marked(entity?.name),
    issue: marked(entity?.identifier),
    hasIssue: Boolean(entity?.identifier),
    forTerminal: details.forTerminal === true,
    from: isMove && word('issueStatus', from),
    to: isMove && word('issueStatus', to),
  };
  return t(`activity.${name}` as Key, values)
    .trim()
    .split(MARK);
}

export function reasonOf({ details, entityType, action }: Entry): string {
  const { status, reason, errorCode, exitCode, costCents } = details;
  const parts = [
    isText(status) &&
      (entityType === 'issue' ? word('issueStatus', status) : word('state', status)),
    typeof costCents === 'number' && formatCents(costCents),
    isText(reason) &&
      word('wakeReason', reason, word('runSource', reason, word('pauseReason', reason))),
    isText(errorCode) && !action.endsWith('cancelled') && word('errorCode', errorCode),
    typeof exitCode === 'number' && exitCode !== 0 && t('activity.exitCode', { exitCode }),
  ];
  return parts.filter(isText).join(' · ');
}

function subjectOf({ entity, details }: Entry): string {
  const kept = [details.identifier, details.title ?? details.name];
  const names = (entity ? [entity.identifier, entity.name] : kept).filter(isText);
  if (names.length === 0 && isText(details.type)) return word('approvalType', details.type);
  return names.join(' ');
}

const MARK = '\u0001';
const marked = (name: string | null | undefined) => (name ? MARK + name + MARK : '');

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
