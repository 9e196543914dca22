import { useCompany } from '../../data/company';
import { useWhole } from '../../data/read';
import { t } from '../../i18n';
import { InputField, options, SelectField } from '../../ui/field';

export type ApiKey = { secretId: string } | { value: string } | null;

interface ApiKeyFieldProps {
  variable: string;
  value: ApiKey;
  onChange: (next: ApiKey) => void;
}

export function ApiKeyField({ variable, value, onChange }: ApiKeyFieldProps) {
  const { id: companyId } = useCompany();
  const secrets = useWhole('/api/companies/{companyId}/secrets', { path: { companyId } });
  const isNew = value !== null && 'value' in value;
  const chosen = value === null ? '' : 'value' in value ? NEW : value.secretId;
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <SelectField
        label={t('hire.apiKey')}
        isOptional
        hint={t('hire.apiKeyHint', { variable })}
        value={chosen}
        onChange={({ target }) => {
          if (target.value === NEW) onChange({ value: '' });
          else onChange(target.value === '' ? null : { secretId: target.value });
        }}
      >
        <option value="">{t('hire.ownSignIn')}</option>
        <option value={NEW}>{t('hire.newSecret')}</option>
        {options(secrets.data?.map(({ id, name }) => [id, name]))}
      </SelectField>
      {isNew && (
        <InputField
          label={t('hire.newSecretValue')}
          type="password"
          autoComplete="off"
          required
          value={value.value}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
    </div>
  );
}

const NEW = 'new';
