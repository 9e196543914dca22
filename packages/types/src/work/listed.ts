import { z } from 'zod';
import { activity } from '../activity';
import { agent } from '../agents';
import { approvalSummary } from '../approvals';
import { openInvite } from '../people';
import { EXCERPT_CHARACTERS, excerpt, id, timestamp } from '../primitives';
import { heartbeatRun, RUN_STATUSES } from '../running/heartbeats';
import { ROUTINE_RUN_SOURCES, ROUTINE_RUN_STATUSES, routineSummary } from '../running/routines';
import { secret } from '../secrets';
import { goalSummary } from './goals';
import { ISSUE_STATUSES } from './issues';
import { projectSummary } from './projects';

/**
 * Maximum number of listed issues per approval, and of triggers per routine; `…Count` counts all.
 */
export const MAX_NAMED = 5;

const count = z.int().min(0);
const nameOf = (whom: string) => z.string().nullable().describe(`The name of ${whom}`);

export const issueCounts = z.object({
  total: count,
  open: count.describe('Number of issues that are neither done nor cancelled'),
  byStatus: z.record(z.enum(ISSUE_STATUSES), count),
});

export const issueReference = z.object({
  id,
  identifier: z.string(),
  title: z.string(),
  status: z.enum(ISSUE_STATUSES),
});

export const listedAgent = agent.extend({
  errorReason: z
    .string()
    .nullable()
    .describe(
      'Reason of the latest failure; only in the status error or if paused because of failures',
    ),
  statusSince: timestamp
    .nullable()
    .describe(
      'Start of the pause, end of the failed run, start of the current run or request of the hire, depending on the status; otherwise null',
    ),
  consecutiveFailures: count,
  currentRun: z
    .object({ id, startedAt: timestamp.nullable(), issue: issueReference.nullable() })
    .nullable()
    .describe('The running run that started last'),
  lastRun: z
    .object({
      id,
      status: z.enum(RUN_STATUSES),
      finishedAt: timestamp.nullable(),
      errorCode: z.string().nullable(),
    })
    .nullable()
    .describe('The run that ended last'),
  issueCounts: issueCounts.describe('Issues that are assigned to the agent'),
});

export const listedRun = heartbeatRun.extend({
  agentName: z.string(),
  issue: issueReference.nullable(),
  reason: z.string().describe('Reason of the first wake, or else its source'),
  lastLogLine: z
    .string()
    .nullable()
    .describe(
      `The last ${EXCERPT_CHARACTERS} characters of the last log line; null unless the run is running`,
    ),
});

export const listedGoal = goalSummary.extend({
  ownerName: nameOf('the owner'),
  descriptionExcerpt: excerpt,
  childCount: count.describe('Goals directly below this goal'),
  issueCounts: issueCounts.describe(
    'Issues of the goal, of the goals below it, and of the projects linked to any of them',
  ),
});

export const listedProject = projectSummary.extend({
  leadName: nameOf('the lead'),
  descriptionExcerpt: excerpt,
  workspaceCount: count,
  issueCounts: issueCounts.describe('Issues of the project'),
});

const hireSummary = z.object({
  agentId: id,
  name: z.string(),
  role: z.string(),
  title: z.string().nullable(),
  adapterType: z.string(),
  budgetMonthlyCents: count,
  managerName: z.string().nullable(),
});

export const listedApproval = approvalSummary.extend({
  title: z.string().describe('Summary of the request in one line'),
  hire: hireSummary.nullable().describe('The proposed agent of a hire'),
  requestedByName: nameOf('the requesting agent or person'),
  issueCount: count,
  issues: z.array(issueReference).describe(`Up to ${MAX_NAMED} related issues`),
});

const triggerSummary = z.object({
  id,
  kind: z.enum(['schedule', 'webhook', 'api']),
  label: z.string().nullable(),
  enabled: z.boolean(),
  scheduleInWords: z
    .string()
    .nullable()
    .describe(
      'The schedule in English with its time zone: "At 08:00, Monday through Friday (UTC)"',
    ),
  cronExpression: z.string().nullable(),
  timezone: z.string().nullable(),
  nextRunAt: timestamp.nullable(),
  lastFiredAt: timestamp.nullable(),
  failureReason: z.string().nullable(),
});

export const listedRoutine = routineSummary.extend({
  assigneeName: nameOf('the assignee'),
  triggerCount: count,
  triggers: z.array(triggerSummary).describe(`The ${MAX_NAMED} oldest triggers`),
  nextRunAt: timestamp.nullable().describe('The earliest next firing of all schedules'),
  lastRun: z
    .object({
      id,
      status: z.enum(ROUTINE_RUN_STATUSES),
      source: z.enum(ROUTINE_RUN_SOURCES),
      triggeredAt: timestamp,
      failureReason: z.string().nullable(),
      issue: issueReference.nullable(),
    })
    .nullable(),
  consecutiveFailures: count.describe(
    'Number of consecutive failed firings; the highest of all triggers',
  ),
});

export const listedSecret = secret.extend({
  createdByUserId: z.string().nullable(),
  createdByName: nameOf('the person who entered the cost event, if known'),
  usedByCount: count.describe(
    'Number of agents that are not terminated and of workspaces that refer to the secret',
  ),
});

/** `entity` has the current name; null if the entity was deleted. */
export const listedActivity = activity.extend({
  actorName: nameOf('the agent, the person, or the board of local trusted mode'),
  entity: z
    .object({ name: z.string(), identifier: z.string().nullable() })
    .nullable()
    .describe('Name or title of the changed object, and the identifier of an issue'),
});

export const listedInvite = openInvite.extend({
  createdByName: nameOf('the person who created it'),
});

export type IssueCounts = z.infer<typeof issueCounts>;
export type IssueReference = z.infer<typeof issueReference>;
export type ListedAgentView = z.infer<typeof listedAgent>;
export type ListedRunView = z.infer<typeof listedRun>;
export type ListedGoalView = z.infer<typeof listedGoal>;
export type ListedProjectView = z.infer<typeof listedProject>;
export type ListedApprovalView = z.infer<typeof listedApproval>;
export type ListedRoutineView = z.infer<typeof listedRoutine>;
export type ListedSecretView = z.infer<typeof listedSecret>;
export type ListedInviteView = z.infer<typeof listedInvite>;
export type ListedActivityView = z.infer<typeof listedActivity>;
export type TriggerSummary = z.infer<typeof triggerSummary>;
