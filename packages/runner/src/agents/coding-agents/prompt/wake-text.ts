import type { RunFacts, WakeFacts } from '../../agent-adapter';
import { cut, MAX_TEXT_CHARS } from './cut';

type Issue = NonNullable<WakeFacts['issue']>;

const MAX_COMMENTS_CHARS = 60_000;
const LEAST_COMMENT_CHARS = 500;
const MAX_PAYLOAD_CHARS = 4_000;
const READ_RUN = 'GET /heartbeat-runs/$SERVICE_RUN_ID';

/** Groups wakes by issue. Indents texts of other authors, so that they cannot imitate a wake. */
export function wakeText({ wakes, moreWakes }: Pick<RunFacts, 'wakes' | 'moreWakes'>): string {
  if (wakes.length === 0) return '- no reason was given';
  const count = wakes.length + moreWakes;
  const lines = linesOf(wakes);
  const groups = groupByIssue(wakes).map(({ issue, places }, _, all) =>
    [...headOf(issue, all.length > 1), ...places.map((place) => lines[place])].join('\n'),
  );
  return [
    ...(count > 1 ? [`${count} wakes. Serve each, and answer each under its own issue.`] : []),
    ...groups,
    ...(moreWakes > 0 ? [`- and ${moreWakes} more: ${READ_RUN}`] : []),
  ].join('\n\n');
}

function groupByIssue(wakes: readonly WakeFacts[]): { issue: Issue | null; places: number[] }[] {
  const groups = new Map<string, { issue: Issue | null; places: number[] }>();
  for (const [place, { issue }] of wakes.entries()) {
    const group = groups.get(issue?.id ?? '') ?? { issue, places: [] };
    group.places.push(place);
    groups.set(issue?.id ?? '', group);
  }
  return [...groups.values()];
}

function headOf(issue: Issue | null, isOneOfSeveral: boolean): string[] {
  if (!issue) return isOneOfSeveral ? ['Without an issue:'] : [];
  const { id, identifier, title, status } = issue;
  return [
    `${identifier}: ${title.replace(/\s+/g, ' ')}`,
    `Status: ${status}. Id: ${id}. Answer with POST /issues/${id}/comments`,
  ];
}

function linesOf(wakes: readonly WakeFacts[]): string[] {
  let room = MAX_COMMENTS_CHARS;
  return wakes.map((wake) => {
    const chars = Math.min(MAX_TEXT_CHARS, Math.max(LEAST_COMMENT_CHARS, room));
    room -= wake.comment?.length ?? 0;
    return lineOf(wake, chars);
  });
}

function lineOf(wake: WakeFacts, maxCommentChars: number): string {
  const { source, reason, issue, comment, author, payload } = wake;
  const why = reason ? `${source}: ${reason}` : source;
  const thread = issue ? `GET /issues/${issue.id}/comments` : 'the comments of the issue';
  return [
    author ? `- ${why}, by ${author}` : `- ${why}`,
    ...(comment ? [`"${cut(comment, thread, maxCommentChars)}"`] : []),
    ...(payload ? [`payload: ${cut(JSON.stringify(payload), READ_RUN, MAX_PAYLOAD_CHARS)}`] : []),
  ]
    .join('\n')
    .replace(/\n/g, '\n  ');
}
