import { useEffect, useState } from 'react';
import { sentenceOf } from '../../data/api';
import { useCompany } from '../../data/company';
import { useRead } from '../../data/read';
import { t } from '../../i18n';
import { Button } from '../../ui/button';
import { Field, Input, InputField } from '../../ui/field';
import { CronInWords } from './cron-in-words';
import { ZonedTime } from './zoned-time';

export interface Schedule {
  cronExpression: string;
  timezone: string;
}

const PRESETS = {
  hourly: '0 * * * *',
  daily: '0 9 * * *',
  weekdays: '0 9 * * 1-5',
  weekly: '0 9 * * 1',
  monthly: '0 9 1 * *',
} as const;

export const newSchedule = (): Schedule => ({
  cronExpression: PRESETS.weekdays,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export function ScheduleFields({
  value,
  onChange,
}: {
  value: Schedule;
  onChange: (value: Schedule) => void;
}) {
  const { id: companyId } = useCompany();
  const settled = useSettled(value);
  const preview = useRead(
    '/api/companies/{companyId}/schedule-preview',
    { path: { companyId }, query: { ...settled, count: '5' } as never },
    { enabled: settled.cronExpression.trim() !== '', keepPrevious: true, staleTime: 60_000 },
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-1.5">
        {(Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((preset) => (
          <Button
            key={preset}
            aria-pressed={value.cronExpression === PRESETS[preset]}
            className="aria-pressed:bg-selected"
            onClick={() => onChange({ ...value, cronExpression: PRESETS[preset] })}
          >
            {t(`routine.preset.${preset}`)}
          </Button>
        ))}
      </div>
      <div className="grid gap-3 md:grid-cols-2">
        <InputField
          name="cronExpression"
          label={t('routine.cron')}
          hint={t('routine.cronHint')}
          error={preview.error ? sentenceOf(preview.error) : undefined}
          required
          className="font-mono"
          value={value.cronExpression}
          onChange={({ target }) => onChange({ ...value, cronExpression: target.value })}
        />
        <Field name="timezone" label={t('routine.timezone')}>
          {(control) => (
            <>
              <Input
                {...control}
                required
                list={`${control.id}-zones`}
                value={value.timezone}
                onChange={({ target }) => onChange({ ...value, timezone: target.value })}
              />
              <datalist id={`${control.id}-zones`}>
                {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      {preview.data && !preview.error && (
        <div className="text-sm" aria-live="polite">
          <p className="font-medium">
            <CronInWords expression={settled.cronExpression} />
          </p>
          <ul className="mt-1 text-muted">
            {preview.data.times.map(({ at }) => (
              <li key={at}>
                <ZonedTime at={at} zone={preview.data.timezone} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

const PAUSE_MS = 300;
