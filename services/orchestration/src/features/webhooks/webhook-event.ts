import type { ListedActivityView, WebhookEventType } from '@switchyard/types';

export interface WebhookEvent {
  id: string;
  type: WebhookEventType;
  timestamp: string;
  data: Record<string, unknown>;
  sentence: string;
}

const MAX_BYTES = 20_000;
const MAX_DETAILS = 8_000;

export function webhookEvent(
  row: ListedActivityView,
  position: string,
  link: string,
): WebhookEvent | null {
  const type = typeOf(row);
  if (type === null) return null;
  const { id, companyId, action, entityType, entityId, entity, createdAt: timestamp } = row;
  const { actorType, actorId, actorName, runId } = row;
  const details = JSON.stringify(row.details).length > MAX_DETAILS ? {} : row.details;
  const data = {
    ...{ id, position, companyId, action, runId, link, details },
    entity: { type: entityType, id: entityId, ...entity },
    actor: { type: actorType, id: actorId, name: actorName },
  };
  return { id, type, timestamp, data, sentence: sentenceOf(row, link) };
}

function typeOf({ action, details }: ListedActivityView): WebhookEventType | null {
  const [entity, verb] = action.split('.');
  if (action === 'issue.commented') return 'comment.created';
  if (entity === 'issue') return 'issue.updated';
  if (action === 'heartbeat.started') return 'run.started';
  if (entity === 'heartbeat') return ENDS.has(verb ?? '') ? 'run.ended' : null;
  if (action === 'approval.commented' || action === 'approval.updated') return null;
  if (action === 'approval.deadline_passed' && details.action !== 'wait') return null;
  if (entity === 'approval') {
    const topic = details.type === 'board_question' ? 'question' : 'approval';
    if (ASKS.has(verb ?? '')) {
      return topic === 'question' ? 'question.asked' : 'approval.requested';
    }
    return topic === 'question' ? 'question.decided' : 'approval.decided';
  }
  return BY_ACTION[action] ?? null;
}

const ASKS = new Set(['created', 'resubmitted', 'escalated', 'deadline_passed']);

const ENDS = new Set(['succeeded', 'failed', 'timed_out', 'cancelled']);

const BY_ACTION: Record<string, WebhookEventType> = {
  'budget.soft_alert': 'budget.near',
  'budget.hard_stop': 'budget.spent',
  'agent.paused': 'agent.stopped',
  'agent.terminated': 'agent.stopped',
};

function sentenceOf({ action, entity, actorName }: ListedActivityView, link: string): string {
  const what = [entity?.identifier, entity?.name].filter(Boolean).join(' ').slice(0, 200);
  const words = action.replace('heartbeat', 'run').replace(/[._]/g, ' ');
  return `${[what, words].filter(Boolean).join(': ')}${actorName ? ` (${actorName})` : ''} ${link}`;
}

export function shapeEvent(
  shape: string,
  { type, timestamp, data, sentence }: WebhookEvent,
): string {
  if (shape === 'telegram') return JSON.stringify({ text: sentence });
  if (shape === 'slack') return JSON.stringify({ text: escapeForSlack(sentence) });
  // Discord rejects longer texts. `allowed_mentions` prevents a title from mentioning everyone.
  if (shape === 'discord') {
    return JSON.stringify({ content: sentence.slice(0, 2_000), allowed_mentions: { parse: [] } });
  }
  const body = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(body) <= MAX_BYTES) return body;
  return JSON.stringify({ type, timestamp, data: { ...data, details: {} } });
}

const escapeForSlack = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
