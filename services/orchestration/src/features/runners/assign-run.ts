import { errorFields, isPassingFault, logRepeated } from '@switchyard/server';
import type { RunAssignment, RunSpec } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import { findSession } from '../../state/runs/agent-sessions';
import type { ClaimedRun } from '../../state/runs/claims/claimed-run';
import { finishRun } from '../../state/runs/end-run';
import { requeueRun } from '../../state/runs/requeue-run';
import { wakesOf } from '../../state/runs/wakes';
import { CannotStart } from '../runs/execute/cannot-start';
import { configuredAdapter } from '../runs/execute/prepare-run';
import { type EndedOutcome, endOf, unexpectedEnd } from '../runs/execute/run-end';
import { runEnvironment } from '../runs/execute/run-environment';
import { openRepository } from '../runs/execute/working-directory';
import { readRunFacts } from '../runs/run-facts';
import { asPartOfRun } from './held-runs/run-origin';

export async function assignRun(
  context: Context,
  run: ClaimedRun,
  { ticket, apiUrl }: { ticket: string; apiUrl: string },
): Promise<RunAssignment | null> {
  const { id: runId, epoch } = run;
  const { logger } = context;
  return asPartOfRun(run, 'heartbeat run', async () => {
    try {
      const spec = await specOf(context, run, apiUrl);
      const { agentId, attempt, source } = run;
      logger.info('run started', { agentId, attempt, source });
      return { runId, epoch, ticket, spec };
    } catch (error) {
      await settle(context, run, error);
      return null;
    }
  });
}

async function settle(context: Context, run: ClaimedRun, error: unknown): Promise<void> {
  if (!(error instanceof CannotStart) && isPassingFault(error)) {
    logRepeated(
      context.logger,
      'warn',
      'a run could not be assigned to a runner',
      errorFields(error),
    );
    return requeueRun(context, run);
  }
  const outcome =
    error instanceof CannotStart ? (error.outcome as EndedOutcome) : unexpectedEnd(context, error);
  await finishRun(context, run, endOf(outcome, null));
}

async function specOf(context: Context, run: ClaimedRun, apiUrl: string): Promise<RunSpec> {
  const { db, config: settings } = context;
  const { companyId, agentId, agentName, logBytes, attempt } = run;
  const { adapter, config } = configuredAdapter(context, run);
  const environment = await runEnvironment(context, run, config);
  const { workspace, credential, secrets } = await openRepository(context, run);
  const wakes = wakesOf(run);
  const session = adapter.keepsSessions ? await findSession(db, run, adapter.type) : null;
  const facts = adapter.hasPrompt ? await readRunFacts(db, { ...run, wakes }) : null;
  const place = workspace && {
    projectId: workspace.projectId,
    cwd: workspace.cwd,
    repoUrl: workspace.repoUrl,
    repoRef: workspace.repoRef,
  };
  return {
    companyId,
    agentId,
    agentName,
    adapterType: adapter.type,
    config,
    environment: environment.variables,
    secrets: [...environment.secrets, ...secrets],
    wakes,
    facts,
    session,
    workspace: place,
    repositoryCredential: credential,
    apiUrl,
    publicUrl: settings.publicUrl,
    maxLogBytes: settings.maxRunLogBytes,
    logBytes,
    attempt,
    allowList: run.egressAllowList,
  };
}
