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

/** Limit of named issues per approval, and of triggers per routine; `…Count` counts all. */
export const MAX_NAMED = 5;

const count = z.int().min(0);
const nameOf = (whom: string) => z.string().nullable().describe(`The name of ${whom}`);

export const issueCounts = z.object({
  total: count,
  open: count.describe('Neither done nor cancelled'),
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
    .describe('Reason of the latest failure, in error or when paused by failures'),
  statusSince: timestamp
    .nullable()
    .describe(
      'Of a pause its begin, of an error the end of the run that failed, of work the start of the current run, of a hire its request; else null',
    ),
  consecutiveFailures: count,
  currentRun: z
    .object({ id, startedAt: timestamp.nullable(), issue: issueReference.nullable() })
    .nullable()
    .describe('The latest of the runs that are running'),
  lastRun: z
    .object({
      id,
      status: z.enum(RUN_STATUSES),
      finishedAt: timestamp.nullable(),
      errorCode: z.string().nullable(),
    })
    .nullable()
    .describe('The latest run that has ended'),
  issueCounts: issueCounts.describe('Issues that are assigned to the agent'),
});

export const listedRun = heartbeatRun.extend({
  agentName: z.string(),
  issue: issueReference.nullable(),
  reason: z.string().describe('Reason of the first wake, else its source'),
  lastLogLine: z
    .string()
    .nullable()
    .describe(`Of a running run, the last ${EXCERPT_CHARACTERS} characters of its last line`),
});

export const listedGoal = goalSummary.extend({
  ownerName: nameOf('the owner'),
  descriptionExcerpt: excerpt,
  childCount: count.describe('Goals directly below it'),
  issueCounts: issueCounts.describe(
    'Issues that serve the goal: those that name it or a goal below it, and those of projects linked to one of these',
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
  title: z.string().describe('The request in one line'),
  hire: hireSummary.nullable().describe('The agent of a hire as it would begin'),
  requestedByName: nameOf('who asks'),
  issueCount: count,
  issues: z.array(issueReference).describe(`Up to ${MAX_NAMED} of the issues that it is about`),
});

const triggerSummary = z.object({
  id,
  kind: z.enum(['schedule', 'webhook', 'api']),
  label: z.string().nullable(),
  enabled: z.boolean(),
  scheduleInWords: z
    .string()
    .nullable()
    .describe('The schedule in English with its zone: "At 08:00, Monday through Friday (UTC)"'),
  cronExpression: z.string().nullable(),
  timezone: z.string().nullable(),
  nextRunAt: timestamp.nullable(),
  lastFiredAt: timestamp.nullable(),
  failureReason: z.string().nullable(),
});

export const listedRoutine = routineSummary.extend({
  assigneeName: nameOf('the assignee'),
  triggerCount: count,
  triggers: z.array(triggerSummary).describe(`The oldest ${MAX_NAMED}`),
  nextRunAt: timestamp.nullable().describe('The earliest of all its schedules'),
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
  consecutiveFailures: count.describe('Consecutive failed firings, the highest of all triggers'),
});

export const listedSecret = secret.extend({
  createdByUserId: z.string().nullable(),
  createdByName: nameOf('the person who entered it, if known'),
  usedByCount: count.describe('Agents that are not terminated and workspaces that name it'),
});

/** Current name of the entity; null once deleted. */
export const listedActivity = activity.extend({
  actorName: nameOf('the agent or person; of the board of local trusted mode too'),
  entity: z
    .object({ name: z.string(), identifier: z.string().nullable() })
    .nullable()
    .describe('The name or title of what was changed, and the identifier of an issue'),
});

export const listedInvite = openInvite.extend({ createdByName: nameOf('who made it') });

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
