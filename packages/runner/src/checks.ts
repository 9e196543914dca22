import { errorFields, type Logger } from '@switchyard/server/logger';
import type { CheckAssignment, Finding } from '@switchyard/types';
import { type CheckParts, checkAgent } from './execute/check-agent';
import { checkWorkspace, type TestedPlaces } from './execute/check-workspace';
import type { RunProtocol } from './protocol/run-protocol';

export interface Checks {
  free(): number;
  begin(assignment: CheckAssignment): void;
  ended(): Promise<void>;
}

const MAX_CONCURRENT = 2;
const TIMEOUT_MS = 15_000;
const FAILED: Finding = {
  level: 'error',
  code: 'check_failed',
  message: 'the check failed because of an internal error; the log of the runner has the reason',
};

export function openChecks(
  parts: CheckParts & { places: TestedPlaces; logger: Logger },
  protocol: Pick<RunProtocol, 'reportCheck'>,
  stopping: AbortSignal,
): Checks {
  const { logger } = parts;
  const underWay = new Set<Promise<void>>();

  const answer = async (assignment: CheckAssignment): Promise<void> => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const { testedWorkspace } = assignment;
    const checking = testedWorkspace
      ? checkWorkspace(parts.places, assignment, testedWorkspace, signal)
      : checkAgent(parts, assignment, signal);
    const findings = await checking.catch((error: unknown) => {
      logger.warn('a check failed', errorFields(error));
      return [FAILED];
    });
    await protocol.reportCheck(assignment.checkId, { findings });
  };

  return {
    free: () => MAX_CONCURRENT - underWay.size,
    begin: (assignment) => {
      const work = answer(assignment)
        .catch((error: unknown) =>
          logger.warn('the result of a check could not be reported', errorFields(error)),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    ended: async () => {
      await Promise.all(underWay);
    },
  };
}
