import { hostname } from 'node:os';
import { type Loop, repeat } from '@switchyard/async';
import { collectFindings, maskFinding, ok } from '@switchyard/runner/agents/findings';
import { createTextMask } from '@switchyard/runner/masking/output-masking';
import { errorFields, logRepeated } from '@switchyard/server';
import type { Finding } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import { WORKER } from '../../state/runs/claims/takers';
import { type ClaimedCheck, claimChecks, storeFindings } from './claim-checks';
import { openDiagnosis } from './open-diagnosis';

/** Polls without hints, because checks must also run while Redis is unavailable. */
export function startDiagnoses(context: Context): Pick<Loop, 'close'> {
  const { config, logger } = context;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  const begin = (claimed: ClaimedCheck) => {
    const work = diagnose(context, claimed, stopping.signal).catch((error: unknown) =>
      logger.warn('a check could not be completed', errorFields(error)),
    );
    underWay.add(work);
    void work.then(() => {
      underWay.delete(work);
      loop.runNow();
    });
  };
  const loop = repeat(async () => {
    try {
      const free = AT_ONCE - underWay.size;
      if (free > 0) {
        const claiming = { taker: WORKER, instance: null, free };
        for (const claimed of await claimChecks(context, claiming)) begin(claimed);
      }
    } catch (error) {
      logRepeated(
        logger,
        'warn',
        'checks could not be claimed; the next round retries',
        errorFields(error),
      );
    }
    return config.sweepMs;
  });
  return {
    close: async () => {
      stopping.abort();
      await loop.close();
      await Promise.all(underWay);
    },
  };
}

const AT_ONCE = 2;

async function diagnose(
  context: Context,
  { id, agentId }: ClaimedCheck,
  stopping: AbortSignal,
): Promise<void> {
  const late = AbortSignal.timeout(context.config.checks.answerWithinMs);
  const signal = AbortSignal.any([stopping, late]);
  const findings = await diagnoseAgent(context, agentId, signal).catch(
    (error: unknown): Finding[] => {
      context.logger.warn('a check of an agent failed', errorFields(error));
      return [
        {
          level: 'error',
          code: 'check_failed',
          message:
            'the check failed because of an internal error; the log of the worker has the reason',
        },
      ];
    },
  );
  await storeFindings(context, id, findings);
}

type Parts = Pick<Context, 'db' | 'adapters' | 'secretBox'>;

/**
 * Checks the configuration, secrets and address of an agent that a worker executes. Writes nothing;
 * findings do not contain secrets.
 */
async function diagnoseAgent(
  parts: Parts,
  agentId: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const host = hostname();
  const where = ok('checked_on', `checked by a worker on ${host}`, { process: 'worker', host });
  const opened = await openDiagnosis(parts, agentId);
  if (!opened) return [];
  if ('problems' in opened) return [where, ...opened.problems];
  const { adapter, workspace: _, secrets, findings: ofSecrets, ...seen } = opened;
  const mask = createTextMask(secrets);
  const look = { ...seen, workingDirectory: '', signal };
  const looked = await collectFindings(() => adapter.check?.(look));
  return [where, ...[...ofSecrets, ...looked].map((finding) => maskFinding(mask, finding))];
}
