import { t, word } from '../../../i18n';
import { Checkbox, Field, Input, options, Select, Textarea } from '../../../ui/field';
import { JsonField } from '../../../ui/json-field';
import { EnvironmentField } from './environment-field';
import { type FieldKind, isReference, kindOf, type Schema } from './kind-of';
import { SecretPicker } from './secret-picker';

export type Config = Record<string, unknown>;

interface ConfigFormProps {
  schema: Schema;
  models: readonly { id: string; label: string }[];
  value: Config;
  onChange: (value: Config) => void;
  errors: Readonly<Record<string, string>>;
}

export function ConfigForm({ schema, models, value, onChange, errors }: ConfigFormProps) {
  const required = schema.required ?? [];
  const settings = Object.entries(schema.properties ?? {}).sort(
    ([one], [other]) => Number(required.includes(other)) - Number(required.includes(one)),
  );
  const change = (name: string, next: unknown) => {
    const { [name]: _, ...others } = value;
    onChange(next === undefined ? others : { ...others, [name]: next });
  };
  const show = (shown: typeof settings) =>
    shown.map(([name, setting]) => (
      <Setting
        key={name}
        name={name}
        schema={setting}
        isRequired={required.includes(name)}
        models={name === 'model' ? models : []}
        value={value[name]}
        onChange={(next) => change(name, next)}
        error={errors[name]}
      />
    ));
  const advanced = settings.filter(([name]) => !BASIC.has(name));
  const isOpen = advanced.some(([name]) => errors[name] !== undefined);
  return (
    <>
      {show(settings.filter(([name]) => BASIC.has(name)))}
      {advanced.length > 0 && (
        <details open={isOpen || undefined}>
          <summary className="mb-3 text-sm text-muted">{t('config.advanced')}</summary>
          <div className="flex flex-col gap-3">{show(advanced)}</div>
        </details>
      )}
    </>
  );
}

const BASIC = new Set([
  'command',
  'args',
  'url',
  'method',
  'model',
  'promptTemplate',
  'description',
  'env',
]);

interface SettingProps {
  name: string;
  schema: Schema;
  isRequired: boolean;
  models: readonly { id: string; label: string }[];
  value: unknown;
  onChange: (value: unknown) => void;
  error: string | undefined;
}

function Setting(props: SettingProps) {
  const { name, schema, isRequired, value, onChange, error } = props;
  const kind = kindOf(schema);
  const label = `${word('configField', name)}${isRequired ? '' : ` (${t('form.optional')})`}`;
  if (kind === 'environment' || kind === 'pairs') {
    return (
      <EnvironmentField
        label={label}
        value={value}
        onChange={onChange}
        error={error}
        takesSecrets={kind === 'environment'}
      />
    );
  }
  if (kind === 'json') {
    return <JsonField label={label} value={value} onChange={onChange} error={error} />;
  }
  if (kind === 'switch') {
    return (
      <Checkbox
        label={label}
        checked={(value ?? schema.default) === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  }
  return (
    <Field label={label} hint={hintOf(kind, schema)} error={error}>
      {(control) => <Control {...props} control={control} kind={kind} />}
    </Field>
  );
}

function hintOf(kind: FieldKind, schema: Schema): string | undefined {
  if (kind === 'list') return t('config.oneALine');
  const { default: without } = schema;
  return kind === 'number' && without !== undefined
    ? t('config.default', { value: String(without) })
    : undefined;
}

interface ControlProps extends SettingProps {
  kind: FieldKind;
  control: { id: string };
}

function Control({ kind, control, schema, models, value, onChange, isRequired }: ControlProps) {
  const text = typeof value === 'string' ? value : '';
  const changeText = (event: { target: { value: string } }) =>
    onChange(event.target.value === '' ? undefined : event.target.value);
  switch (kind) {
    case 'secret':
      return (
        <SecretPicker
          control={control}
          value={isReference(value) ? value : undefined}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <Select {...control} value={text || String(schema.default ?? '')} onChange={changeText}>
          {!isRequired && schema.default === undefined && <option value="" />}
          {schema.enum?.map((each) => (
            <option key={String(each)}>{String(each)}</option>
          ))}
        </Select>
      );
    case 'number':
      return (
        <Input
          {...control}
          type="number"
          step="any"
          min={schema.minimum}
          max={schema.maximum}
          placeholder={schema.default === undefined ? undefined : String(schema.default)}
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : Number(target.value))
          }
        />
      );
    case 'list':
      return <ListText control={control} value={value} onChange={onChange} />;
    case 'longText':
      return (
        <Textarea
          {...control}
          className="font-mono text-sm"
          rows={5}
          value={text}
          onChange={changeText}
        />
      );
    default:
      return models.length > 0 ? (
        <>
          <Input
            {...control}
            list={`${control.id}-models`}
            placeholder={t('config.ownModel')}
            value={text}
            onChange={changeText}
          />
          <datalist id={`${control.id}-models`}>
            {options(models.map(({ id, label }) => [id, label]))}
          </datalist>
        </>
      ) : (
        <Input {...control} required={isRequired} value={text} onChange={changeText} />
      );
  }
}

function ListText({
  control,
  value,
  onChange,
}: {
  control: { id: string };
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const lines = Array.isArray(value) ? value.map(String) : [];
  return (
    <Textarea
      {...control}
      className="font-mono text-sm"
      rows={2}
      value={lines.join('\n')}
      onChange={({ target }) =>
        onChange(target.value === '' ? undefined : target.value.split('\n'))
      }
    />
  );
}
