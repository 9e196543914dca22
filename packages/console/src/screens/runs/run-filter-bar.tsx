import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t, word } from '../../i18n';
import { Button } from '../../ui/button';
import { Choose } from '../../ui/choose';
import { Avatar, StatusMark } from '../../ui/marks';
import { RUN_STATUSES, type useRunFilters } from './use-run-filters';

export function RunFilterBar({ by }: { by: ReturnType<typeof useRunFilters> }) {
  const { id: companyId } = useCompany();
  const agents = useRead('/api/companies/{companyId}/agents', {
    path: { companyId },
    query: { limit: 500 },
  });
  const { status, agent } = by.filters;
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
          ...(agents.data ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
            mark: <Avatar name={name} size={16} />,
          })),
        ]}
        value={agent ?? null}
        onChoose={by.setAgent}
      />
      {by.isFiltered && (
        <Button tone="quiet" onClick={by.clear}>
          {t('runs.clear')}
        </Button>
      )}
    </>
  );
}
