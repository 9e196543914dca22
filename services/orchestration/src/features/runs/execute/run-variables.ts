import type { WakeReason, WakeView } from '@switchyard/types';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { leadingWake, wakesOf } from '../../../state/runs/wakes';

type Woken = Pick<ClaimedRun, 'id' | 'source' | 'issueId' | 'wakeReasons' | 'wakeIssues'>;

type Starting = Woken & Pick<ClaimedRun, 'agentId' | 'companyId' | 'projectId'>;

const MAX_WAKES_BYTES = 65_536;

export function runVariables(run: Starting, alert: string | null): Record<string, string> {
  const { id, agentId, companyId, issueId, projectId } = run;
  return {
    SERVICE_COMPANY_ID: companyId,
    SERVICE_AGENT_ID: agentId,
    SERVICE_RUN_ID: id,
    ...wakeVariables(run),
    ...(issueId !== null && { SERVICE_ISSUE_ID: issueId }),
    ...(projectId !== null && { SERVICE_PROJECT_ID: projectId }),
    ...(alert !== null && { SERVICE_BUDGET_ALERT: alert }),
  };
}

function wakeVariables(run: Woken): Record<string, string> {
  const wakes = wakesOf(run);
  const leading = leadingWake(run);
  const commentIds = wakes.flatMap(({ commentId }) => (commentId ? [commentId] : []));
  return {
    SERVICE_WAKES: JSON.stringify(withinBytes(wakes, run.id)),
    SERVICE_WAKE_COUNT: String(wakes.length),
    SERVICE_WAKE_SOURCE: leading?.source ?? run.source,
    SERVICE_WAKE_REASON: leading?.reason ?? sourceOf(run, leading),
    ...(commentIds.length > 0 && { SERVICE_WAKE_COMMENT_IDS: commentIds.join(',') }),
    ...(leading?.payload && { SERVICE_WAKE_PAYLOAD: JSON.stringify(leading.payload) }),
  };
}

function sourceOf({ source }: Woken, leading: WakeReason | null): string {
  return source === 'retry' || leading === null ? source : leading.source;
}

function withinBytes(wakes: WakeView[], runId: string): WakeView[] {
  let room = MAX_WAKES_BYTES - '[]'.length;
  const listed: WakeView[] = [];
  for (const wake of wakes) {
    const brief = withoutPayload(wake, runId);
    room -= bytesOf(brief) + ','.length;
    if (room < 0) break;
    listed.push(brief);
  }
  return listed.map((brief, at) => {
    const whole = wakes[at] as WakeView;
    const more = bytesOf(whole) - bytesOf(brief);
    if (more > room) return brief;
    room -= more;
    return whole;
  });
}

function withoutPayload(wake: WakeView, runId: string): WakeView {
  if (!wake.payload) return wake;
  const readAt = `/api/heartbeat-runs/${runId}`;
  return { ...wake, payload: { omitted: true, byteSize: bytesOf(wake.payload), readAt } };
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
