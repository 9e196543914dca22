export { readTextFile, SECRET_SETTINGS, usableVariables } from '@switchyard/settings';
export { addressOf } from './guards/address-of';
export * from './guards/own-hosts';
export * from './guards/own-origin';
export * from './health';
export * from './http/error-response';
export * from './http/errors';
export { INEXACT_NUMBER, inexactNumber, parseExactly } from './http/exact-json';
export { inOrder } from './http/in-order';
export {
  finishApplication,
  JSON_BODY_LIMIT,
  logFailure,
  type MountedPath,
  mount,
  type Pipeline,
  parseBody,
  parseQuery,
  requestLog,
  runRoute,
} from './http/mount';
export * from './http/passing-fault';
export { check, type FieldProblem } from './http/problems';
export { readText } from './http/read-body';
export { openRefusalLog, type RecordRefusal } from './http/refusals';
export * from './http/route';
export * from './http/text-body';
export * from './lifecycle';
export * from './logging/create-logger';
export * from './logging/log-repeated';
export * from './logging/logger';
export * from './logging/redact';
export { isSecretName } from './logging/secret-names';
export * from './openapi/build-document';
export * from './openapi/docs-page';
export * from './openapi/probe-operations';
export * from './openapi/refused-answers';
export * from './outgoing/retry-after';
export * from './outgoing/sign-request';
export * from './process-life';
export * from './process-metrics';
export * from './settings/environment';
export * from './settings/environment-table';
export * from './settings/local-secrets';
export * from './tracing/correlation';
export * from './tracing/tracing';
export { VERSION } from './version';
