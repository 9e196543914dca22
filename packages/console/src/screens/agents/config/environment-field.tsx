import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { t } from '../../../i18n';
import { Button, IconButton } from '../../../ui/button';
import { Input, Select } from '../../../ui/field';
import { isReference, type SecretReference } from './kind-of';
import { SecretPicker } from './secret-picker';

interface Row {
  id: number;
  name: string;
  value: string | SecretReference | undefined;
  isSecret: boolean;
}

interface EnvironmentFieldProps {
  label: string;
  value: unknown;
  onChange: (value: Record<string, unknown> | undefined) => void;
  error: string | undefined;
  takesSecrets: boolean;
}

export function EnvironmentField(props: EnvironmentFieldProps) {
  const { label, value, onChange, error, takesSecrets } = props;
  const headingId = useId();
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(value));
  const change = (next: readonly Row[]) => {
    setRows(next);
    const entries = next
      .filter(({ name }) => name !== '')
      .map((row) => [row.name, row.value ?? '']);
    onChange(entries.length === 0 ? undefined : Object.fromEntries(entries));
  };
  const patch = (id: number, changes: Partial<Row>) =>
    change(rows.map((row) => (row.id === id ? { ...row, ...changes } : row)));
  const nextId = Math.max(0, ...rows.map(({ id }) => id)) + 1;
  return (
    <fieldset aria-labelledby={headingId} className="flex min-w-0 flex-col gap-1.5">
      <legend id={headingId} className="mb-1 text-sm font-medium">
        {label}
      </legend>
      {rows.map((row) => (
        <div key={row.id} className="flex items-center gap-1.5 max-md:flex-wrap">
          <Input
            aria-label={t('config.name')}
            className="font-mono text-sm md:max-w-52"
            value={row.name}
            onChange={({ target }) => patch(row.id, { name: target.value })}
          />
          {takesSecrets && (
            <Select
              aria-label={t('config.kind')}
              className="w-auto! shrink-0"
              value={row.isSecret ? 'secret' : 'literal'}
              onChange={({ target }) =>
                patch(row.id, { isSecret: target.value === 'secret', value: undefined })
              }
            >
              <option value="literal">{t('config.literal')}</option>
              <option value="secret">{t('config.secret')}</option>
            </Select>
          )}
          {row.isSecret ? (
            <SecretPicker
              control={{ 'aria-label': t('config.chooseSecret') }}
              value={isReference(row.value) ? row.value : undefined}
              onChange={(next) => patch(row.id, { value: next })}
            />
          ) : (
            <Input
              aria-label={t('config.value')}
              className="font-mono text-sm"
              value={typeof row.value === 'string' ? row.value : ''}
              onChange={({ target }) => patch(row.id, { value: target.value })}
            />
          )}
          <IconButton
            icon={X}
            label={t('config.removeRow', { name: row.name })}
            onClick={() => change(rows.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      <Button
        tone="quiet"
        icon={Plus}
        className="self-start"
        onClick={() =>
          setRows([...rows, { id: nextId, name: '', value: undefined, isSecret: false }])
        }
      >
        {t('config.addRow')}
      </Button>
      {error && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  );
}

const rowsOf = (value: unknown): Row[] =>
  Object.entries((value ?? {}) as Record<string, unknown>).map(([name, each], index) => ({
    id: index + 1,
    name,
    value: isReference(each) ? each : String(each),
    isSecret: isReference(each),
  }));
