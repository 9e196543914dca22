export { comparePositions } from './compare-positions';
export {
  type ClientSettings,
  createClient,
  createMetricsClient,
  type OrchestrationClient,
  type OrchestrationSettings,
  type Schemas,
} from './create-client';
export { type Firing, fireWebhook } from './fire-webhook';
export type {
  components as MetricsComponents,
  paths as MetricsPaths,
} from './generated/metrics';
export type { components, operations, paths } from './generated/orchestration';
export { isTemporary } from './is-temporary';
export { type ListItem, type ListPath, type ListSettings, listAll } from './list-all';
export { type Session, signIn } from './sign-in';
export { signWebhook, type WebhookSignature } from './sign-webhook';
export { type ActivityEvent, followActivity } from './streams/follow-activity';
export { followRunLog } from './streams/follow-run-log';
export type { FollowSettings } from './streams/follow-stream';
export { type ServerSentEvent, serverSentEvents } from './streams/server-sent-events';
export { type ErrorAnswer, RefusedError, unwrap } from './unwrap';
export { waitForIssue } from './wait-for-issue';
export { type WaitSettings, waitForRun } from './wait-for-run';
