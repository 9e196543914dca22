import { basename } from 'node:path';
import { installTracing } from './tracing';

const wantsTracing = (variables: Record<string, string | undefined>): boolean =>
  Object.entries(variables).some(([name, value]) => name.startsWith('OTEL_') && value);

/** Loads OpenTelemetry only if it is enabled. */
export function startTracing(
  variables: Record<string, string | undefined>,
  program: string | undefined,
): void {
  if (!wantsTracing(variables)) return;
  const { openTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  const isNamed =
    variables.OTEL_SERVICE_NAME || variables.OTEL_RESOURCE_ATTRIBUTES?.includes('service.name=');
  const name = `switchyard-${basename(program ?? 'process', '.js')}`;
  const optIns = variables.OTEL_SEMCONV_STABILITY_OPT_IN?.split(',').map((one) => one.trim());
  const describesAgents = optIns?.includes('gen_ai_latest_experimental') ?? false;
  installTracing(openTelemetry(isNamed ? undefined : name, describesAgents));
}
