import { useCompany } from '../../../data/company';
import { useWhole } from '../../../data/read';
import { t } from '../../../i18n';
import { options, Select } from '../../../ui/field';
import type { SecretReference } from './kind-of';

export function SecretPicker({
  control,
  value,
  onChange,
}: {
  control: { id?: string; 'aria-label'?: string };
  value: SecretReference | undefined;
  onChange: (value: SecretReference | undefined) => void;
}) {
  const { id: companyId } = useCompany();
  const secrets = useWhole('/api/companies/{companyId}/secrets', { path: { companyId } });
  const isUnknown = value && secrets.data && !secrets.data.some(({ id }) => id === value.secretId);
  return (
    <Select
      {...control}
      value={value?.secretId ?? ''}
      onChange={({ target: { value: secretId } }) =>
        onChange(
          secretId === ''
            ? undefined
            : { type: 'secret_ref', secretId, version: value?.version ?? 'latest' },
        )
      }
    >
      <option value="">
        {t(secrets.data?.length === 0 ? 'config.noSecrets' : 'config.chooseSecret')}
      </option>
      {isUnknown && <option value={value.secretId}>{value.secretId}</option>}
      {options(secrets.data?.map(({ id, name }) => [id, name]))}
    </Select>
  );
}
