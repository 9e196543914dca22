import { basename } from 'node:path';
import { installTracing } from './tracing';

/** Traces are asked for by any variable of OpenTelemetry's own; `NAME=` stands for "not set". */
const wantsTracing = (variables: Record<string, string | undefined>): boolean =>
  Object.entries(variables).some(([name, value]) => name.startsWith('OTEL_') && value);

/**
 * Loads OpenTelemetry when it is asked for, and not a file of it otherwise. Its hooks see only what is
 * loaded after them, so this comes before every other import of a process.
 */
export function startTracing(
  variables: Record<string, string | undefined>,
  program: string | undefined,
): void {
  if (!wantsTracing(variables)) return;
  const { openTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  const isNamed =
    variables.OTEL_SERVICE_NAME || variables.OTEL_RESOURCE_ATTRIBUTES?.includes('service.name=');
  const name = `switchyard-${basename(program ?? 'process', '.js')}`;
  installTracing(openTelemetry(isNamed ? undefined : name));
}
