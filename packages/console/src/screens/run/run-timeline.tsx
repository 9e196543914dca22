import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useCompany } from '../../data/company';
import { t, word } from '../../i18n';
import { formatClock, formatExact } from '../../i18n/formats';
import { classNames } from '../../ui/class-names';
import { Elapsed } from '../../ui/time';
import type { Run } from './run';
import { type Step, stepsOf } from './timeline';

export function RunTimeline({ run }: { run: Run }) {
  const steps = stepsOf(run);
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">{t('run.timeline')}</h2>
      <ol className="relative">
        {steps.map((step, index) => (
          <li key={step.name} className="relative flex gap-3 pb-0.5 pl-5 text-sm">
            <span
              aria-hidden
              className={classNames(
                'absolute top-1.5 left-0.5 size-2 rounded-full border',
                step.at === null
                  ? 'pulse-live border-live bg-live'
                  : step.name === 'ended'
                    ? 'border-text bg-text'
                    : 'border-line-strong bg-surface',
              )}
            />
            {index < steps.length - 1 && (
              <span
                aria-hidden
                className={classNames(
                  'absolute top-4 bottom-0 left-[5px] w-0.5',
                  step.during === 'ran' ? 'bg-accent' : 'bg-line-strong',
                )}
              />
            )}
            <StepText run={run} step={step} isFirst={index === 0} next={steps[index + 1]} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface StepTextProps {
  run: Run;
  step: Step;
  isFirst: boolean;
  next: Step | undefined;
}

function StepText({ run, step, isFirst, next }: StepTextProps) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex items-baseline justify-between gap-2">
        <span className="font-medium">
          {step.name === 'ended' ? word('runStatus', run.status) : t(`run.step.${step.name}`)}
          {isFirst && (
            <span className="font-normal text-muted">
              {' · '}
              {word('runSource', run.wakes[0]?.source ?? run.source)}
            </span>
          )}
        </span>
        {step.at && (
          <time dateTime={step.at} title={formatExact(step.at)} className="text-xs text-muted">
            {formatClock(step.at)}
          </time>
        )}
      </div>
      {step.during && step.at && next && (
        <p className="py-1 text-xs text-muted">
          <PhaseText step={step} at={step.at} until={next.at} />
          {next.name === 'waiting' && run.waitsFor && <> · {word('waitsFor', run.waitsFor)}</>}
          {next.name === 'waiting' && run.limit && <BlockingLimit limit={run.limit} />}
          {next.name === 'waiting' && run.queuePosition && (
            <> · {t('run.queuePosition', { position: run.queuePosition })}</>
          )}
          {next.name === 'waiting' && run.expectedStartAt && (
            <> · {t('run.expectedStart', { time: formatClock(run.expectedStartAt) })}</>
          )}
        </p>
      )}
    </div>
  );
}

function BlockingLimit({ limit }: { limit: NonNullable<Run['limit']> }) {
  const { issuePrefix: company } = useCompany();
  const { key, isPaused, running, maxRunning, heldBy } = limit;
  return (
    <>
      {': '}
      {isPaused ? t('run.limitPaused', { key }) : t('run.limit', { key, running, maxRunning })}
      {heldBy.map(({ runId, agentName }) => (
        <Fragment key={runId}>
          {' · '}
          <Link
            to="/$company/runs/$run"
            params={{ company, run: runId }}
            className="text-accent hover:underline"
          >
            {agentName}
          </Link>
        </Fragment>
      ))}
    </>
  );
}

function PhaseText({ step, at, until }: { step: Step; at: string; until: string | null }) {
  const [before = '', after = ''] = t(`run.phase.${step.during ?? 'waited'}`, { time: '|' }).split(
    '|',
  );
  return (
    <>
      {before}
      <Elapsed from={at} to={until} className="font-medium text-text" />
      {after}
    </>
  );
}
