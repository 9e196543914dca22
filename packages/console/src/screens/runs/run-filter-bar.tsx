import { useAgents } from '../../data/directory';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { Choose } from '../../ui/choices/choose';
import { Avatar, StatusMark } from '../../ui/marks';
import { RUN_SOURCES, RUN_STATUSES, SPANS, type Span, type useRunFilters } from './use-run-filters';

export function RunFilterBar({ by }: { by: ReturnType<typeof useRunFilters> }) {
  const agents = useAgents();
  const { status, source, agentId, errorCode, since } = by.filters;
  return (
    <>
      <Choose
        label={t('runs.status')}
        choices={RUN_STATUSES.map((value) => ({
          value,
          label: word('runStatus', value),
          mark: <StatusMark of="run" status={value} />,
        }))}
        value={status}
        onChoose={by.toggleStatus}
        trigger={
          status.length === 0
            ? t('runs.status')
            : status.map((each) => (
                <StatusMark key={each} of="run" status={each} isLabelled={status.length === 1} />
              ))
        }
      />
      <Choose
        label={t('runs.agent')}
        choices={[
          { value: null, label: t('runs.anyAgent') },
          ...agents.all.map(({ id, name }) => ({
            value: id,
            label: name,
            mark: <Avatar name={name} size={16} />,
          })),
        ]}
        value={agentId ?? null}
        onChoose={(value) => by.set('agent', value)}
      />
      <Choose
        label={t('runs.source')}
        choices={RUN_SOURCES.map((value) => ({ value, label: word('runSource', value) }))}
        value={source}
        onChoose={by.toggleSource}
        trigger={
          source.length === 0
            ? t('runs.source')
            : source.map((each) => word('runSource', each)).join(', ')
        }
      />
      <Choose
        label={t('runs.since')}
        choices={[
          { value: null, label: t('runs.anyTime') },
          ...Object.keys(SPANS).map((value) => ({
            value,
            label: t(`runs.since.${value as Span}`),
          })),
        ]}
        value={since ?? null}
        onChoose={(value) => by.set('since', value)}
      />
      <Choose
        label={t('runs.error')}
        choices={[
          { value: null, label: t('runs.anyErrorCode') },
          ...[...new Set([...ERROR_CODES, ...(errorCode ? [errorCode] : [])])].map((value) => ({
            value,
            label: word('errorCode', value),
          })),
        ]}
        value={errorCode ?? null}
        onChoose={(value) => by.set('error', value)}
      />
      {by.isFiltered && (
        <Button tone="quiet" onClick={by.clear}>
          {t('runs.clear')}
        </Button>
      )}
    </>
  );
}

const ERROR_CODES = [
  'adapter_exit',
  'adapter_signal',
  'no_result',
  'agent_failed',
  'timeout',
  'silence',
  'worker_lost',
  'rate_limited',
  'quota_exhausted',
  'provider_unavailable',
  'not_signed_in',
  'command_not_found',
  'command_not_allowed',
  'http_status',
  'agent_paused',
  'agent_budget',
  'company_budget',
  'paused_budget',
  'cancelled',
] as const;
